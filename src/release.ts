import { execFileSync } from "node:child_process";
import { compiled, readAsset } from "./assets.ts";

/** What is running: the version of package.json, and the commit it was built from or stands on. */
export interface Release {
  version: string;
  commit: string;
}

export function readRelease(): Release {
  const { version, commit } = JSON.parse(readAsset("package.json")) as { version: string; commit?: string };
  return { version, commit: commit ?? headCommit() };
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
