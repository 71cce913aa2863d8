import { fileURLToPath } from "node:url";
import { compiled } from "./compiled.ts";

/**
 * Files shipped with the product (seeds, migrations, the dashboard) and worker entries, by their path in the source tree.
 * The only place that knows the source tree from the compiled binary.
 */
const root = compiled ? new URL("file:///$bunfs/root/") : new URL("../", import.meta.url);

/** Not by `import`: from a thread that is sealed (actor/seal.ts) the module is taken away, and this remains. */
const { existsSync, readdirSync, readFileSync } = process.getBuiltinModule("node:fs");

/** Whatever a path says, it leads to what is shipped (or to what tests are made of): in the source tree data may lie beside it. */
const SHIPPED = /^(seeds|src|dist\/web|test\/fixtures)\/|^package\.json$/;

function placeOf(path: string): URL {
  const place = new URL(path, root);
  if (!place.href.startsWith(root.href) || !SHIPPED.test(place.href.slice(root.href.length)))
    throw new Error("nothing that is shipped");
  return place;
}

/** Taken before a sealed thread loses it. */
const unpack = compiled ? Bun.zstdDecompressSync : undefined;
const unpacked = (path: string): string => new TextDecoder().decode(unpack!(readFileSync(placeOf(`${path}.zst`))));

/** What hooks read at every start has a file of its own; all other seeds lie in one, by their path (scripts/pack-assets.ts). */
const HOOKS_OWN = "seeds/packs.json";
let seeds: Map<string, string> | undefined;
const packedSeeds = () =>
  (seeds ??= new Map(Object.entries(JSON.parse(unpacked("seeds/all.json")) as Record<string, string>)));

export const readAsset = (path: string): string =>
  unpack && path.startsWith("seeds/") ? readSeed(path) : readFileSync(placeOf(path), "utf8");

function readSeed(path: string): string {
  const text = path === HOOKS_OWN ? unpacked(path) : packedSeeds().get(path);
  if (text === undefined) throw new Error("nothing that is shipped");
  return text;
}

export const readAssetBytes = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(placeOf(path)));

export const assetExists = (path: string): boolean => existsSync(placeOf(path));

/** Names in a folder, sorted. */
export const listAssets = (folder: string): string[] =>
  (unpack && folder.startsWith("seeds/") ? seedsIn(`${folder}/`) : readdirSync(placeOf(`${folder}/`))).sort();

const seedsIn = (folder: string): string[] =>
  [...packedSeeds().keys()].flatMap(path => (path.startsWith(folder) ? [path.slice(folder.length)] : []));

/** `workers/org.ts`, or what it was compiled to. */
export const workerUrl = (name: string): URL => new URL(`workers/${name}.${compiled ? "js" : "ts"}`, root);

/** The folders and files that the program itself is made of: all that a thread without rights of its own may read (Deno). */
export const programPaths = (): string[] =>
  ["src", "workers", "seeds", "node_modules", "package.json", "deno.json"].map(name =>
    fileURLToPath(new URL(name, root)),
  );
