import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { readAsset } from "./assets.ts";
import { childProcess } from "./builtin.ts";
import { compiled } from "./compiled.ts";

/** What is running: the version of package.json, and the commit it was built from or stands on. */
export interface Release {
  version: string;
  commit: string;
  /** When the build said so (RFC 3339); null from source. */
  published_at: string | null;
  /** Programs to download: the running one, and those of other platforms that the manifest names and that lie beside it. None from source. */
  assets(): Promise<readonly Asset[]>;
  /** The bytes of one of them. */
  read(asset: Asset): ReadableStream<Uint8Array>;
}

export interface Asset {
  name: string;
  os: string;
  arch: string;
  size: number;
  /** Hex, of the very file that is served. */
  sha256: string;
}

export function readRelease(): Release {
  const { version, commit } = JSON.parse(readAsset("package.json")) as { version: string; commit?: string };
  const path = process.execPath;
  const folder = dirname(path);
  const manifest = compiled ? readManifest(join(folder, "release.json"), version) : undefined;
  let assets: Promise<Asset[]> | undefined;
  return {
    version,
    commit: commit ?? headCommit(),
    published_at: manifest?.published_at ?? null,
    assets: async () => (compiled ? (assets ??= findAssets(path, manifest)) : []),
    read: ({ name }) => Readable.toWeb(createReadStream(join(folder, name))) as unknown as ReadableStream<Uint8Array>,
  };
}

const Manifest = Type.Object({
  version: Type.String(),
  published_at: Type.String(),
  assets: Type.Array(
    Type.Object({
      // A name, not a path.
      name: Type.String({ pattern: "^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$" }),
      os: Type.String(),
      arch: Type.String(),
      size: Type.Integer(),
      sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    }),
    { maxItems: 50 },
  ),
});
export type Manifest = Static<typeof Manifest>;

/** The manifest that the build writes beside the program; undefined when there is none of this version. */
export function readManifest(file: string, version: string): Manifest | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Value.Check(Manifest, read) && read.version === version ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The program at `path`, then those beside it that are byte for byte what the manifest says. */
export async function findAssets(path: string, manifest: Manifest | undefined): Promise<Asset[]> {
  const name = basename(path);
  const { platform, arch } = process;
  const found = [{ name, os: platform as string, arch: arch as string, ...(await measure(path)) }];
  for (const told of manifest?.assets ?? []) {
    const file = join(dirname(path), told.name);
    if (told.name === name || !existsSync(file)) continue;
    const { size, sha256 } = await measure(file);
    if (size === told.size && sha256 === told.sha256) found.push(told);
  }
  return found;
}

async function measure(file: string): Promise<Pick<Asset, "size" | "sha256">> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return { size: statSync(file).size, sha256: hash.digest("hex") };
}

function headCommit(): string {
  if (compiled) return "unknown";
  try {
    const cwd = new URL("..", import.meta.url).pathname;
    return childProcess()
      .execFileSync("git", ["rev-parse", "HEAD"], {
        cwd,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      })
      .trim();
  } catch {
    return "unknown";
  }
}
