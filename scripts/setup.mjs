// Makes a fresh clone ready: installs from the lock when the lock changed since the last install, and builds the dashboard.
// Runs before `npm start` / `npm test` (Node) and as the preload of `bun test` (Bun alone).
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, "node_modules", ".gatehouse-lock");
const underBun = "Bun" in globalThis;

const run = (command, args) => spawnSync(command, args, { cwd: root, stdio: "inherit", env: process.env }).status ?? 1;
const fingerprint = () =>
  createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
const installed = () => existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint();

function install() {
  const status = underBun
    ? run(process.execPath, ["install", "--no-save"])
    : run("npm", ["ci", "--no-audit", "--no-fund"]);
  if (status !== 0) process.exit(status);
  repairBun();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, fingerprint());
}

// npm may refuse to run install scripts; Bun's own then has to be called by name.
function repairBun() {
  const script = join(root, "node_modules", "bun", "install.js");
  if (underBun || spawnSync(join(root, "node_modules", ".bin", "bun"), ["--version"]).status === 0) return;
  if (run(process.execPath, [script]) !== 0) process.exit(1);
}

// What `bun test` was asked for. A preload is not told, so it is read where the system shows it; elsewhere all tests run.
function testArguments() {
  const shown = "/proc/self/cmdline";
  const given = existsSync(shown) ? readFileSync(shown, "utf8").split("\0").slice(1, -1) : [];
  return given[0] === "test" ? given : ["test"];
}

if (!installed()) {
  install();
  // As a preload this process has resolved its imports before they existed: run the tests afresh.
  const preloaded = !process.argv[1]?.endsWith("setup.mjs");
  if (underBun && preloaded) process.exit(run(process.execPath, testArguments()));
}

// The dashboard, unless it was built from these very sources. Without it the API still serves.
const bun = underBun ? process.execPath : join(root, "node_modules", ".bin", "bun");
if (run(bun, [join(root, "scripts", "build-web.ts"), "--if-changed"]) !== 0)
  console.error("The dashboard could not be built; the API serves without it.");
