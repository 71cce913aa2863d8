import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/**
 * How long a start of dist/gatehouse takes: from the start of the process until it says that it is ready, and until it has answered
 * `GET /api/health`, with an empty data directory and with one in use, beside a server of the same runtime that does
 * nothing else. Nobody asks before it says ready: on two cores whoever asks again and again would take a part of what is measured.
 * `bun test/bench/start.ts [runs] [another executable …]`
 */
const runs = Number(process.argv[2] ?? 30);
const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "bench-start-"));
const PORT = 39_471;

interface Series {
  name: string;
  command: string[];
  /** The data directory of one start. */
  data(run: number): string;
  ready: number[];
  answered: number[];
  cpu: number[];
}
const series = (name: string, command: string[], data: Series["data"]): Series => ({
  name,
  command,
  data,
  ready: [],
  answered: [],
  cpu: [],
});

async function once({ command, data, ready, answered, cpu }: Series, run: number): Promise<void> {
  const env = { PATH: process.env["PATH"]!, HOME: folder, GATEHOUSE_DATA: data(run), GATEHOUSE_PORT: String(PORT) };
  const started = performance.now();
  const child = Bun.spawn(command, { cwd: folder, env, stdout: "pipe", stderr: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const ready_ms = performance.now() - started;
  if (!value) throw new Error(`${command.join(" ")}: ${await new Response(child.stderr).text()}`);
  const health = await fetch(`http://127.0.0.1:${PORT}/api/health`);
  const answer = (await health.json()) as { status: string };
  const answered_ms = performance.now() - started;
  if (answer.status !== "pass") throw new Error(`${command.join(" ")}: ${JSON.stringify(answer)}`);
  const cpu_ms = processorMs(child.pid);
  child.kill("SIGTERM");
  await child.exited;
  if (run < 0) return;
  ready.push(ready_ms);
  answered.push(answered_ms);
  cpu.push(cpu_ms);
}

/** All threads', to the tick of a hundredth of a second at worst; Linux only. */
function processorMs(pid: number): number {
  if (process.platform !== "linux") return Number.NaN;
  const tasks = new Bun.Glob("*/schedstat").scanSync(`/proc/${pid}/task`);
  return (
    [...tasks].reduce((sum, name) => sum + Number.parseInt(readFileSync(`/proc/${pid}/task/${name}`, "utf8"), 10), 0) /
    1e6
  );
}

const at = (values: number[], part: number) => values.toSorted((a, b) => a - b)[Math.floor(values.length * part)]!;

try {
  const nothing = join(folder, "nothing");
  writeFileSync(
    `${nothing}.ts`,
    `Bun.serve({ port: ${PORT}, hostname: "127.0.0.1", fetch: () => Response.json({ status: "pass" }) }); console.log("ready");`,
  );
  const built = Bun.spawnSync([
    process.execPath,
    "build",
    "--compile",
    "--bytecode",
    `${nothing}.ts`,
    "--outfile",
    nothing,
  ]);
  if (built.exitCode !== 0) throw new Error(String(built.stderr));
  const executables = [join(root, "dist", "gatehouse"), ...process.argv.slice(3)];
  const all = [series("runtime alone", [nothing], () => folder)];
  for (const [n, path] of executables.entries())
    all.push(
      series(`first start${n > 0 ? `, ${path}` : ""}`, [path, "serve"], run => join(folder, `${n}-${run}`)),
      series(`later start${n > 0 ? `, ${path}` : ""}`, [path, "serve"], () => join(folder, `${n}`)),
    );
  for (let run = -2; run < runs; run++) for (const each of all) await once(each, run);
  console.log(
    `${"from the start of the process, ms".padEnd(46)}ready p50     p95   answered p50     p95   processor p50`,
  );
  for (const { name, ready, answered, cpu } of all)
    console.log(
      name.slice(-46).padEnd(46),
      ...[at(ready, 0.5), at(ready, 0.95)].map(ms => ms.toFixed(1).padStart(8)),
      ...[at(answered, 0.5), at(answered, 0.95)].map(ms => ms.toFixed(1).padStart(11)),
      at(cpu, 0.5).toFixed(1).padStart(11),
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
