// Builds dist/gatehouse: one executable with the threads' entries and everything under seeds/ and the migrations inside.
// `node scripts/build.mjs` for this machine, `node scripts/build.mjs all` for every supported one, `… <target>` for one.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readLock, sbom } from "./sbom.mjs";
import { trimElf } from "./trim-elf.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const stage = join(dist, ".stage");
const bun = join(root, "node_modules", ".bin", "bun");
const targets = [
  "linux-x64",
  "linux-arm64",
  "linux-x64-musl",
  "linux-arm64-musl",
  "darwin-x64",
  "darwin-arm64",
  "windows-x64",
];

// Stack traces lose the names of functions; what they would cost stands in docs/performance.md.
// A hook starts in a third of the time with splitting, and in two thirds of that with bytecode; that of functions within functions
// would cost 1.5 MB more and win nothing. Without the two autoload switches the executable would run the bunfig preload and read
// the .env of whatever folder an agent stands in.
const flags = [
  "build",
  "--compile",
  "--minify-whitespace",
  "--minify-syntax",
  "--minify-identifiers",
  "--splitting",
  "--bytecode",
  "--bytecode-depth=1",
  "--format=esm",
  // The framework would load it to tell the types of uploaded files, of which there are none.
  "--external=file-type",
  // Code of a start is not worth compiling to machine code; `serve` goes back to the usual once it is up.
  "--compile-jit-policy=20",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
];

const ask = (command, args) => {
  try {
    return execFileSync(command, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "";
  }
};

/** What is embedded, by its path in the source tree: package.json (version, commit), seeds, migrations. */
function prepare() {
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  const { name, version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const commit = process.env.GATEHOUSE_COMMIT || ask("git", ["rev-parse", "HEAD"]) || "unknown";
  writeFileSync(join(stage, "package.json"), JSON.stringify({ name, version, license, commit }));
  if (spawnSync(bun, [join("scripts", "build-web.ts"), "--if-changed"], { cwd: root, stdio: "inherit" }).status !== 0)
    throw new Error("the dashboard could not be built");
  // Files that are there packed need not be there plain: the server unpacks them for whoever wants them so.
  const wanted = path => !existsSync(`${path}.br`);
  cpSync(join(dist, "web"), join(stage, "dist", "web"), { recursive: true, filter: wanted });
  const filter = path => statSync(path).isDirectory() || path.endsWith(".sql");
  cpSync(join(root, "src"), join(stage, "src"), { recursive: true, filter });
  if (spawnSync(bun, [join("scripts", "pack-assets.ts"), stage], { cwd: root, stdio: "inherit" }).status !== 0)
    throw new Error("the seeds could not be packed");
  return { version, commit };
}

/** The runtime of another platform, from the registry, whose hash npm holds it to; kept for the next build. */
function runtimeOf(target) {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const name = `bun-${target.replace("arm64", "aarch64")}`;
  const folder = join(root, "node_modules", ".runtimes", `${name}-${dependencies.bun}`);
  const path = join(folder, "package", "bin", target.startsWith("windows") ? "bun.exe" : "bun");
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const packed = ask(npm, ["pack", `@oven/${name}@${dependencies.bun}`, "--pack-destination", folder, "--silent"]);
  if (!packed) throw new Error("its runtime could not be had from the registry");
  execFileSync("tar", ["-xzf", join(folder, packed.split("\n").at(-1)), "-C", folder]);
  return path;
}

function build(target, outfile) {
  const workers = readdirSync(join(root, "workers")).map(name => join(root, "workers", name));
  const args = [
    ...flags,
    `--target=bun${target ? `-${target}` : ""}`,
    ...(target ? [`--compile-executable-path=${runtimeOf(target)}`] : []),
    `--root=${root}`,
    join(root, "src", "main.ts"),
    ...workers,
    ...["package.json", "seeds", "src", "dist"].flatMap(path => ["--asset", path]),
    `--outfile=${outfile}`,
  ];
  const result = spawnSync(bun, args, { cwd: stage, encoding: "utf8" });
  if (result.status !== 0) throw new Error(`${target ?? "this machine"}: ${result.stderr || result.stdout}`);
}

const { version, commit } = prepare();
const wanted = process.argv[2] === "all" ? targets : process.argv.slice(2);
const built = [];
const failed = [];
for (const target of wanted.length > 0 ? wanted : [undefined]) {
  const name = `gatehouse${target ? `-${target}` : ""}${target?.startsWith("windows") ? ".exe" : ""}`;
  try {
    build(target, join(dist, name));
    const bytes = trimElf(readFileSync(join(dist, name)));
    writeFileSync(join(dist, name), bytes);
    built.push({
      name,
      os: target?.split("-")[0] ?? process.platform,
      arch: target?.split("-")[1] ?? process.arch,
      size: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    });
  } catch (error) {
    failed.push(error.message.trim());
  }
}
rmSync(stage, { recursive: true, force: true });
if (built.length > 0) writeRelease();

/** The manifest that `/api/releases/latest` reads, the bill of materials, and the checksums of it all (`sha256sum -c SHA256SUMS`). */
function writeRelease() {
  const published_at = new Date(Number(process.env.SOURCE_DATE_EPOCH ?? Date.now() / 1000) * 1000).toISOString();
  const papers = {
    "release.json": { version, commit, published_at, assets: built },
    "sbom.cdx.json": sbom(readLock()),
  };
  const sums = built.map(({ name, sha256 }) => [sha256, name]);
  for (const [name, content] of Object.entries(papers)) {
    const text = `${JSON.stringify(content, null, 2)}\n`;
    writeFileSync(join(dist, name), text);
    sums.push([createHash("sha256").update(text).digest("hex"), name]);
  }
  writeFileSync(join(dist, "SHA256SUMS"), sums.map(([sum, name]) => `${sum}  ${name}\n`).join(""));
}
for (const { name, size } of built) console.log(`dist/${name} ${(size / 1e6).toFixed(1)} MB`);
for (const message of failed) console.error(message);
process.exitCode = failed.length > 0 ? 1 : 0;
