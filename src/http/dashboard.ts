import { promisify } from "node:util";
import { brotliDecompressSync, gzip } from "node:zlib";
import { lazily } from "../domain/lazily.ts";
import { assetExists, readAsset, readAssetBytes } from "../assets.ts";

/** The built dashboard, its files packed with brotli and, once asked for, held in memory as they go out. */
export interface Dashboard {
  /** Addresses answered with the page itself; `:name` stands for one segment. */
  pages: string[];
  file(name: string): DashboardFile | undefined;
}

export interface DashboardFile {
  type: string;
  plain: () => Uint8Array<ArrayBuffer>;
  packed: Record<Packing, () => Promise<Uint8Array<ArrayBuffer>>>;
}
export type Packing = "br" | "gzip";

const packGzip = promisify(gzip);
const FOLDER = "dist/web";
const types: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

/** Undefined when it was not built: the API works without it. */
export function readDashboard(): Dashboard | undefined {
  if (!assetExists(`${FOLDER}/manifest.json`)) return undefined;
  const { pages, files } = JSON.parse(readAsset(`${FOLDER}/manifest.json`)) as { pages: string[]; files: string[] };
  const read = new Map(files.map(name => [name, lazily(() => readFile(name))]));
  return { pages, file: name => read.get(name)?.() };
}

function readFile(name: string): DashboardFile {
  const br = readAssetBytes(`${FOLDER}/${name}.br`);
  // Few ask for anything else: browsers without TLS, and not those on the same machine.
  const plain = () => new Uint8Array(brotliDecompressSync(br));
  return {
    type: types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    plain,
    packed: { br: async () => br, gzip: lazily(async () => new Uint8Array(await packGzip(plain()))) },
  };
}

/** The best packing the caller takes (RFC 9110 §12.5.3): brotli, gzip, or none. */
export function packingOf(accepted: string | null): Packing | undefined {
  const taken = new Map(
    (accepted ?? "").split(",").map(part => {
      const [name, ...parameters] = part.trim().toLowerCase().split(";");
      const q = parameters.map(one => /^\s*q=([\d.]+)$/.exec(one)?.[1]).find(value => value !== undefined);
      return [name!, q === undefined ? 1 : Number(q)] as const;
    }),
  );
  return (["br", "gzip"] as const).find(name => (taken.get(name) ?? taken.get("*") ?? 0) > 0);
}
