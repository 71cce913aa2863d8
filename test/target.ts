import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What the HTTP suite runs against: the runtime it runs on, or the compiled program (`GATEHOUSE_TEST_TARGET=binary`). */
export const root = join(import.meta.dirname, "..");
export const binary = join(root, "dist", process.platform === "win32" ? "gatehouse.exe" : "gatehouse");
export const target: "bun" | "deno" | "binary" =
  process.env["GATEHOUSE_TEST_TARGET"] === "binary" ? "binary" : "Bun" in globalThis ? "bun" : "deno";
/** Within this process: the clock can be moved and the parts looked at. */
export const inProcess = target !== "binary";

if (target === "binary" && !existsSync(binary)) throw new Error(`${binary} is missing: run \`npm run build\` first`);

export const program: readonly string[] =
  target === "binary"
    ? [binary]
    : target === "bun"
      ? [process.execPath, join(root, "src/main.ts")]
      : [
          process.execPath,
          "run",
          "--allow-all",
          "--no-lock",
          "--config",
          join(root, "deno.json"),
          join(root, "src/main.ts"),
        ];

let hostile: string | undefined;
/** Where the compiled program is started: what stands in this folder means harm and must change nothing. */
export function hostileFolder(): string {
  if (hostile) return hostile;
  hostile = mkdtempSync(join(tmpdir(), "gatehouse-hostile-"));
  writeFileSync(join(hostile, "evil.ts"), "process.exit(99);");
  writeFileSync(join(hostile, "bunfig.toml"), 'preload = ["./evil.ts"]\n[run]\npreload = ["./evil.ts"]\n');
  writeFileSync(
    join(hostile, ".env"),
    "GATEHOUSE_PLAN=free\nGATEHOUSE_PLAYGROUND_PER_MINUTE=1\nGATEHOUSE_HOST=0.0.0.0\n",
  );
  writeFileSync(join(hostile, "package.json"), '{"name":"evil","version":"6.6.6"}');
  return hostile;
}

export interface Started {
  pid: number;
  /** Everything printed so far. */
  out(): string;
  err(): string;
  /** Resolved with the text of standard output once it matches; rejected when the program ends first. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: "SIGTERM" | "SIGKILL"): void;
  exited: Promise<number | null>;
}

/** Starts the program as people do. */
export function startProgram(
  args: readonly string[],
  options: { env?: Record<string, string>; cwd?: string; stdin?: string; main?: string } = {},
): Started {
  // Another copy of the source may stand in, under the same runtime.
  const [command, ...before] = options.main ? [...program.slice(0, -1), options.main] : program;
  const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "/", ...options.env };
  const child = spawn(command!, [...before, ...args], {
    env,
    cwd: options.cwd ?? root,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  let wake = () => {};
  child.stdout.on("data", data => ((out += data), wake()));
  child.stderr.on("data", data => (err += data));
  child.stdin.end(options.stdin ?? "");
  const exited = new Promise<number | null>(resolve => child.on("close", code => (resolve(code), wake())));
  return {
    pid: child.pid!,
    out: () => out,
    err: () => err,
    // By its id: Deno takes a child it has sent a signal for killed by it.
    kill: signal => void process.kill(child.pid!, signal),
    exited,
    said: pattern =>
      new Promise((resolve, reject) => {
        wake = () => {
          const match = pattern.exec(out);
          if (match) resolve(match);
          else if (child.exitCode !== null) reject(new Error(`it ended with ${child.exitCode}: ${err}`));
        };
        wake();
      }),
  };
}

/** Runs it to its end. */
export async function runProgram(args: readonly string[], options: Parameters<typeof startProgram>[1] = {}) {
  const started = startProgram(args, options);
  const code = await started.exited;
  return { code, out: started.out(), err: started.err() };
}
