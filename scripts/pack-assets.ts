/**
 * `pack-assets.ts <stage>`: what the executable holds, packed as small as it goes. Of the seeds two files (src/assets.ts): the
 * packs as hooks read them, and all the rest in one, since a packer finds more in common the more it sees.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { ruleNames } from "../src/domain/policy/rules/relevant.ts";
import { readPacks } from "../src/seeds.ts";

const root = join(import.meta.dirname, "..");
const [stage] = process.argv.slice(2) as [string];
const seeds = join(stage, "seeds");
const write = (name: string, value: unknown) =>
  writeFileSync(join(seeds, `${name}.zst`), Bun.zstdCompressSync(JSON.stringify(value), { level: 22 }));

/** JSON, without what only authors and tests need, with the names of the packs' rules. */
function packsOfHooks() {
  const read = readPacks();
  const names = ruleNames(read.map(({ value }) => value));
  return read.map(({ text, value }, n) => ({
    sha256: createHash("sha256").update(text).digest("hex"),
    value: { ...value, rules: value.rules.map(({ cases: _, attack: __, controls: ___, ...rule }) => rule) },
    names: names[n],
  }));
}

function allSeeds(): Record<string, string> {
  const paths = readdirSync(join(root, "seeds"), { recursive: true, encoding: "utf8" })
    .map(name => `seeds/${name.replaceAll("\\", "/")}`)
    .filter(path => statSync(join(root, path)).isFile())
    .sort();
  return Object.fromEntries(paths.map(path => [path, readFileSync(join(root, path), "utf8")]));
}

mkdirSync(seeds, { recursive: true });
write("packs.json", packsOfHooks());
write("all.json", allSeeds());

/** The dashboard's files were packed in a hurry, so that a start from source waits for little. */
const web = join(stage, "dist", "web");
const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 };
for (const name of readdirSync(web).filter(name => name.endsWith(".br"))) {
  const packed = readFileSync(join(web, name));
  const again = brotliCompressSync(brotliDecompressSync(packed), { params });
  if (again.length < packed.length) writeFileSync(join(web, name), again);
}
