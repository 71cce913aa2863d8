import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { lazily } from "../../../src/domain/lazily.ts";
import { root } from "../../target.ts";

/** Where the peers' packages are installed: apart from those of the product, which users install. */
export const peersFolder = join(root, "node_modules", ".bench-peers");
const files = ["package.json", "package-lock.json", "fastify-sqlite.mjs"];
const INSTALL_MS_MAX = 120_000;
/** One translation unit of 9 MB of C. */
const BUILD_MS_MAX = 300_000;

/** Installs what `package.json` beside this file names, without its scripts, unless it is there. */
export const installPeers = lazily(async () => {
  mkdirSync(peersFolder, { recursive: true });
  for (const file of files) copyFileSync(join(import.meta.dirname, file), join(peersFolder, file));
  if (existsSync(join(peersFolder, "node_modules", ".package-lock.json"))) return;
  await npm(["ci", "--no-audit", "--no-fund", "--ignore-scripts"], INSTALL_MS_MAX);
});

/**
 * Builds better-sqlite3 from its source with the headers beside this Node.js: what it would download comes from elsewhere than the
 * registry, and where that cannot be reached it waits for minutes.
 */
export const buildBetterSqlite = lazily(async () => {
  await installPeers();
  const folder = join(peersFolder, "node_modules", "better-sqlite3");
  if (existsSync(join(folder, "build", "Release", "better_sqlite3.node"))) return;
  const { stdout } = await run("node", ["-p", "process.execPath"], 10_000);
  const prefix = dirname(dirname(stdout.trim()));
  if (!existsSync(join(prefix, "include", "node", "node.h"))) throw new Error("Node.js came without its headers");
  console.error("  building better-sqlite3, once");
  await npm(["rebuild", "better-sqlite3"], BUILD_MS_MAX, {
    npm_config_build_from_source: "true",
    npm_config_nodedir: prefix,
  });
});

const run = (command: string, args: string[], timeout: number, env: Record<string, string> = {}) =>
  promisify(execFile)(command, args, {
    cwd: peersFolder,
    timeout,
    maxBuffer: 64 << 20,
    env: { ...process.env, ...env },
  });

async function npm(args: string[], timeout: number, env?: Record<string, string>): Promise<void> {
  try {
    await run("npm", args, timeout, env);
  } catch (error) {
    const { killed, stderr = "" } = error as { killed?: boolean; stderr?: string };
    if (killed) throw new Error(`npm ${args[0]} took longer than ${timeout / 1000} s`);
    throw new Error(
      `npm ${args[0]} failed: ${stderr.split("\n").find(line => /rror/.test(line)) ?? stderr.slice(0, 200)}`,
    );
  }
}
