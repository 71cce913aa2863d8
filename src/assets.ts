import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compiled } from "./compiled.ts";

/**
 * Files shipped with the product (seeds, migrations, the dashboard) and worker entries, by their path in the source tree.
 * The only place that knows the source tree from the compiled binary.
 */
const root = compiled ? new URL("file:///$bunfs/root/") : new URL("../", import.meta.url);

export const readAsset = (path: string): string => readFileSync(new URL(path, root), "utf8");

export const readAssetBytes = (path: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(path, root)));

export const assetExists = (path: string): boolean => existsSync(new URL(path, root));

/** Names in a folder, sorted. */
export const listAssets = (folder: string): string[] => readdirSync(new URL(`${folder}/`, root)).sort();

/** `workers/org.ts`, or what it was compiled to. */
export const workerUrl = (name: string): URL => new URL(`workers/${name}.${compiled ? "js" : "ts"}`, root);

/** The folders and files that the program itself is made of: all that a thread without rights of its own may read (Deno). */
export const programPaths = (): string[] =>
  ["src", "workers", "seeds", "node_modules", "package.json", "deno.json"].map(name =>
    fileURLToPath(new URL(name, root)),
  );
