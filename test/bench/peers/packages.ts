import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../target.ts";

/** Where the peers' packages are installed: apart from those of the product, which users install. */
export const peersFolder = join(root, "node_modules", ".bench-peers");
const files = ["package.json", "package-lock.json", "fastify-sqlite.mjs"];

/** Installs what `package.json` beside this file names, unless it is there. */
export function installPeers(): void {
  mkdirSync(peersFolder, { recursive: true });
  for (const file of files) copyFileSync(join(import.meta.dirname, file), join(peersFolder, file));
  if (existsSync(join(peersFolder, "node_modules", ".package-lock.json"))) return;
  try {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: peersFolder, stdio: "pipe", timeout: 900_000 });
  } catch (error) {
    const text = String((error as { stderr?: Buffer }).stderr ?? error);
    throw new Error(`npm ci failed: ${text.split("\n").find(line => line.includes("rror")) ?? text.slice(0, 200)}`);
  }
}
