import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { compiled, readAsset } from "./assets.ts";

/** What is running: the version of package.json, and the commit it was built from or stands on. */
export interface Release {
  version: string;
  commit: string;
  /** When the build said so (RFC 3339); null from source. */
  published_at: string | null;
  /** The running program, for others to download; undefined from source. */
  asset(): Promise<Asset | undefined>;
  /** Its bytes. */
  read(): ReadableStream<Uint8Array>;
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
  let asset: Promise<Asset> | undefined;
  return {
    version,
    commit: commit ?? headCommit(),
    published_at: compiled ? publishedAt(join(dirname(path), "release.json"), version) : null,
    asset: async () => (compiled ? (asset ??= describeProgram(path)) : undefined),
    read: () => Readable.toWeb(createReadStream(path)) as unknown as ReadableStream<Uint8Array>,
  };
}

async function describeProgram(path: string): Promise<Asset> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  const { platform, arch } = process;
  return { name: basename(path), os: platform, arch, size: statSync(path).size, sha256: hash.digest("hex") };
}

/** From the manifest that the build writes beside the program, if it is of this version. */
function publishedAt(manifest: string, version: string): string | null {
  try {
    const read = JSON.parse(readFileSync(manifest, "utf8")) as { version?: unknown; published_at?: unknown };
    return read.version === version && typeof read.published_at === "string" ? read.published_at : null;
  } catch {
    return null;
  }
}

function headCommit(): string {
  if (compiled) return "unknown";
  try {
    const cwd = new URL("..", import.meta.url).pathname;
    return execFileSync("git", ["rev-parse", "HEAD"], {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "unknown";
  }
}
