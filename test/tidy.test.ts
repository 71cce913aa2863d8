import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** The house rules that a machine can hold: who may import whom, sizes, names, dead files. */
const root = resolve(import.meta.dirname, "..");

/** Folder → what it may import besides itself; `type:` only as types. Longest match wins. */
const layers: Record<string, string[]> = {
  "src/domain": [],
  "src/store": ["src/domain", "src/errors.ts", "src/assets.ts"],
  "src/actor": [
    "src/domain",
    "src/seeds.ts",
    "src/store",
    "src/errors.ts",
    "src/assets.ts",
    "src/clock.ts",
    "src/keys.ts",
    "src/logger.ts",
    "src/wire.ts",
    "type:src/store/open.ts",
  ],
  workers: ["src/actor", "src/store/open.ts", "src/domain"],
  "src/dispatch": [
    "src/domain",
    "src/errors.ts",
    "src/assets.ts",
    "src/wire.ts",
    "type:src/logger.ts",
    "type:src/actor",
  ],
  "src/directory": [
    "src/domain",
    "src/store/sqlite/database.ts",
    "src/store/sqlite/migrate.ts",
    "src/store/sqlite/wal.ts",
    "src/errors.ts",
    "src/assets.ts",
    "src/builtin.ts",
    "src/keys.ts",
    "src/secret.ts",
    "src/config.ts",
  ],
  "src/http": [
    "src/domain",
    "src/directory",
    "src/errors.ts",
    "src/logger.ts",
    "src/assets.ts",
    "src/builtin.ts",
    "type:src/config.ts",
    "type:src/release.ts",
    "type:src/dispatch",
    "type:src/store/log.ts",
    "src/store/disk-trouble.ts",
    "src/hooks",
  ],
  "src/hooks": ["src/domain"],
  "src/client": ["src/domain"],
  "src/comply": ["src/domain", "src/assets.ts", "src/seeds.ts"],
  "src/web": ["src/domain", "src/client", "type:src/http/server.ts"],
  "src/cli": ["src"],
};
const FILE_LINES_MAX = 400;
const TEST_LINES_MAX = 600;
const BANNED = /^(utils?|helpers?|services?|managers?|common|misc)\b/;

const walk = (folder: string): string[] =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry =>
        entry.isDirectory() ? walk(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
      )
    : [];
const files = ["src", "workers", "test", "scripts"].flatMap(walk).filter(file => /\.(ts|tsx|mjs)$/.test(file));
const sources = files.filter(file => file.startsWith("src/") || file.startsWith("workers/"));
const code = sources.filter(file => !file.endsWith(".test.ts"));
const read = (file: string) => readFileSync(join(root, file), "utf8");

interface Import {
  from: string;
  to: string;
  type: boolean;
}

function importsOf(file: string): Import[] {
  const text = read(file);
  const found = text.matchAll(
    /(?:^|\n)\s*(import|export)\s+(type\s+)?[^;"']*?from\s+"(\.[^"]+)"|import\("(\.[^"]+)"\)/g,
  );
  return [...found].map(([whole, , type, target, dynamic]) => ({
    from: file,
    to: relative(root, resolve(root, dirname(file), (target ?? dynamic)!)).replaceAll("\\", "/"),
    type: type !== undefined || (/\{/.test(whole) && /\{\s*(type\s+\w+(\s+as\s+\w+)?\s*,?\s*)+\}/.test(whole)),
  }));
}

const layerOf = (file: string) =>
  Object.keys(layers)
    .filter(folder => file.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0];

function allowed({ from, to, type }: Import): boolean {
  const layer = layerOf(from);
  if (!layer || to.startsWith(`${layer}/`)) return true;
  return layers[layer]!.some(entry => {
    const [, only, place] = /^(type:)?(.*)$/.exec(entry)!;
    return (to === place || to.startsWith(`${place}/`)) && (!only || type);
  });
}

test("modules that few runs need are loaded by src/builtin.ts, when one does", () => {
  const named =
    /(?:^|\n)import (?!type )[^;]*?from "node:(net|child_process|dns|dns\/promises|http|https|tls|cluster)";/;
  expect(code.filter(file => named.test(read(file)))).toEqual([]);
});

test("every import goes the way the layers point", () => {
  const wrong = code.flatMap(importsOf).filter(one => !allowed(one));
  expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test("every relative import names a file that is there", () => {
  const missing = files.flatMap(importsOf).filter(({ to }) => !existsSync(join(root, to)));
  expect(missing.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test("the domain is pure", () => {
  const impure =
    /from "(node|bun):|\bDate\.now\(|new Date\(\)|Math\.random\(|process\.|\bBun\.|\bDeno\.|setTimeout\(|globalThis/;
  const wrong = code.filter(file => file.startsWith("src/domain/") && impure.test(stripComments(read(file))));
  expect(wrong).toEqual([]);
});

test("only config.ts reads the environment, only spawn.ts starts threads, only store/sqlite and directory speak SQL", () => {
  const offenders = (pattern: RegExp, except: RegExp) =>
    code.filter(file => !except.test(file) && pattern.test(stripComments(read(file))));
  expect(offenders(/process\.env|Deno\.env|Bun\.env/, /^src\/(config|main)\.ts|^src\/cli\//)).toEqual([]);
  expect(offenders(/new Worker\(/, /^src\/dispatch\/spawn\.ts/)).toEqual([]);
  expect(
    offenders(/\.query(<[^)]*>)?\(\s*[`"]|bun:sqlite|node:sqlite/, /^src\/(store\/sqlite|directory|cli)\//),
  ).toEqual([]);
});

test("no file is long, none has a name that says nothing, worker entries are thin", () => {
  const limit = (file: string) => (file.startsWith("test/") ? TEST_LINES_MAX : FILE_LINES_MAX);
  const long = files.filter(file => read(file).split("\n").length > limit(file));
  expect(long).toEqual([]);
  expect(files.filter(file => file.split("/").some(part => BANNED.test(part)))).toEqual([]);
  expect(sources.filter(file => file.startsWith("workers/") && read(file).split("\n").length > 40)).toEqual([]);
});

test("no file is dead", () => {
  const used = new Set(files.flatMap(importsOf).map(({ to }) => to));
  const entries = /^src\/main\.ts$|^workers\/|\.test\.ts$|^src\/web\//;
  const dead = sources.filter(file => !used.has(file) && !entries.test(file));
  expect(dead).toEqual([]);
});

function stripComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/(^|\s)\/\/.*$/gm, "");
}
