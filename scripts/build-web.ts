/**
 * Builds the dashboard into dist/web: hashed names, a manifest, and every file packed with brotli beforehand.
 * `--if-changed` does nothing when the sources are those of the last build.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { compile } from "tailwindcss";
import { parse } from "yaml";
import type { BunPlugin } from "bun";
import type { Pack } from "../src/domain/policy/rules/schema.ts";
import { pagePaths } from "../src/web/pages.ts";

const root = join(import.meta.dirname, "..");
const web = join(root, "src", "web");
const STAMP = ".built-from";

export interface BuildOptions {
  entry?: string;
  out?: string;
}

export async function buildWeb({ entry = "main.tsx", out = join(root, "dist", "web") }: BuildOptions = {}) {
  const scratch = `${out}.${process.pid}`;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  const sheet = join(scratch, "styles.css");
  writeFileSync(sheet, await styles());
  const built = await Bun.build({
    entrypoints: [join(web, entry), sheet],
    target: "browser",
    splitting: true,
    minify: true,
    plugins: [packs],
    define: { "process.env.NODE_ENV": '"production"' },
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
  });
  rmSync(sheet);
  const files: Record<string, Uint8Array> = {};
  for (const output of built.outputs)
    files[output.path.replace(/^\.?\//, "")] = new Uint8Array(await output.arrayBuffer());
  // Shared chunks carry the entry's name too: only its kind tells them apart.
  const named = (kind: "entry-point" | "asset", end: string) => {
    const output = built.outputs.find(one => one.kind === kind && one.path.endsWith(end));
    if (!output) throw new Error(`the bundler made no ${kind} ${end}`);
    return output.path.replace(/^\.?\//, "");
  };
  const script = named("entry-point", ".js");
  const page = readFileSync(join(web, "index.html"), "utf8")
    .replace("%STYLES%", `/assets/${named("asset", ".css")}`)
    .replace("%PRELOADS%", preloads(script, files))
    .replace("%SCRIPT%", `/assets/${script}`);
  files["index.html"] = new TextEncoder().encode(page);
  for (const [name, bytes] of Object.entries(files)) write(join(scratch, name), bytes);
  const manifest = { pages: pagePaths, files: Object.keys(files).sort() };
  writeFileSync(join(scratch, "manifest.json"), JSON.stringify(manifest, null, 2));
  writeFileSync(join(scratch, STAMP), fingerprint());
  rmSync(out, { recursive: true, force: true });
  renameSync(scratch, out);
  return { out, files };
}

/** `gatehouse:packs` is what the playground judges by: the community packs without their cases. */
const packs: BunPlugin = {
  name: "packs",
  setup(build) {
    build.onResolve({ filter: /^gatehouse:packs$/ }, ({ path }) => ({ path, namespace: "gatehouse" }));
    build.onLoad({ filter: /.*/, namespace: "gatehouse" }, () => ({
      contents: JSON.stringify(communityPacks()),
      loader: "json",
    }));
  },
};

function communityPacks(): unknown[] {
  const folder = join(root, "seeds", "packs");
  return sources(folder)
    .map(file => parse(readFileSync(file, "utf8")) as Pack)
    .filter(({ plan }) => plan !== "entitled")
    .map(pack => ({
      ...pack,
      rules: pack.rules.map(({ attack: _, controls: __, ...rule }) => ({ ...rule, cases: {} })),
    }));
}

/** The chunks the entry needs at once, so that they load beside it instead of after it. */
function preloads(script: string, files: Record<string, Uint8Array>): string {
  const needed = new Set<string>();
  const follow = (name: string) => {
    const text = new TextDecoder().decode(files[name]);
    for (const [, next] of text.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)) {
      if (needed.has(next!)) continue;
      needed.add(next!);
      follow(next!);
    }
  };
  follow(script);
  return [...needed].map(name => `<link rel="modulepreload" href="/assets/${name}">`).join("\n    ");
}

function write(path: string, bytes: Uint8Array): void {
  writeFileSync(path, bytes);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
}

/** Tailwind's compiler, given every word of the sources: what is no class name it ignores. */
async function styles(): Promise<string> {
  const words = new Set<string>();
  for (const file of sources(web))
    for (const word of readFileSync(file, "utf8").split(/[\s"'`]+/)) if (word.length < 80) words.add(word);
  const modules = join(root, "node_modules");
  const compiler = await compile(readFileSync(join(web, "styles.css"), "utf8"), {
    base: web,
    async loadStylesheet(id, base) {
      const path =
        id === "tailwindcss" ? join(modules, "tailwindcss/index.css") : join(id.startsWith(".") ? base : modules, id);
      return { path, base: dirname(path), content: readFileSync(path, "utf8") };
    },
  });
  return compiler.build([...words]);
}

const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : [path];
  });

/** Of everything the bundle is made from. */
function fingerprint(): string {
  const hash = createHash("sha256");
  const folders = ["src/web", "src/domain", "src/client", "seeds/packs"]
    .map(folder => join(root, folder))
    .filter(existsSync);
  const files = [...folders.flatMap(sources), join(root, "package-lock.json"), import.meta.filename];
  for (const file of files.filter(name => !name.includes(".test.")).sort())
    hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}

const current = () => {
  const stamp = join(root, "dist", "web", STAMP);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint();
};

if (import.meta.main && !(process.argv.includes("--if-changed") && current())) {
  const started = performance.now();
  const { out, files } = await buildWeb();
  console.log(
    `Built the dashboard: ${Object.keys(files).length} files in ${out}, ${Math.round(performance.now() - started)} ms`,
  );
}
