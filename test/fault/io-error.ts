/**
 * Single reads, writes and syncs of the running server fail: injected by strace into all its threads at the n-th call of each.
 * It must live on, refuse what it could not store, open the file again and go on without a restart. Reads reach the disk only
 * while little is remembered, so everything is asked for as soon as the server has started.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { call } from "../world.ts";
import type { Harness, Outcome, RunOptions } from "./harness.ts";
import { Ledger } from "./ledger.ts";
import { acknowledgesFailures } from "./mutants.ts";
import { type Booted, boot, connect, examine, kill, sleep, storm } from "./storm.ts";

const faults = [
  { calls: "fsync,fdatasync", error: "EIO" },
  { calls: "pwrite64", error: "EIO" },
  { calls: "pwrite64", error: "ENOSPC" },
  { calls: "pread64", error: "EIO" },
] as const;
type Fault = (typeof faults)[number];
const nameOf = ({ calls, error }: Fault) => `${calls} ${error}`;

async function run({ rounds, next, main }: RunOptions): Promise<Outcome> {
  const data = mkdtempSync(join(tmpdir(), "gatehouse-fault-"));
  const place = { data, ...(main ? { main } : {}) };
  const ledger = new Ledger();
  const problems: string[] = [];
  const hits = Object.fromEntries(faults.slice(0, rounds).map(fault => [nameOf(fault), 0]));
  let reopened = 0;
  let agent = "";
  for (let round = 0; round < rounds && problems.length === 0; round++) {
    const booted = await boot(place);
    agent ||= await connect(booted);
    const fault = faults[round % faults.length]!;
    const weather = storm({ url: booted.url, agent, ledger, name: String(round), next });
    await sleep(200);
    const opened = () => booted.server.err().split("file failed and is opened again").length - 1;
    const reached = () => Object.values(weather.refused).reduce((sum, times) => sum + times, opened());
    const told = await inject(booted, fault, 1 + Math.floor(next() * 40), reached);
    const seen = await weather.stop();
    const name = nameOf(fault);
    hits[name]! += reached();
    reopened += opened();
    problems.push(...told, ...(await stillServes(booted, agent, ledger, `${round}.after`)));
    if (seen[0]) problems.push(`${seen[0]} requests got no answer`);
    if (seen[500]) problems.push(`${seen[500]} requests were answered with 500`);
    problems.push(...(await examine(booted, ledger)));
    await kill(booted);
    const again = await boot(place);
    problems.push(...(await examine(again, ledger)).map(problem => `after a restart: ${problem}`));
    await kill(again);
    for (const [index, problem] of problems.entries()) problems[index] = `${name}, round ${round}: ${problem}`;
  }
  rmSync(data, { recursive: true, force: true });
  for (const [name, times] of Object.entries(hits)) if (times === 0) problems.push(`${name} never reached the server`);
  return {
    acknowledged: ledger.size,
    problems,
    told: `refused by fault: ${JSON.stringify(hits)}; reopened ${reopened} times`,
  };
}

/** Lets calls fail for a moment while the storm goes on. Returns what went wrong with that. */
async function inject(
  booted: Booted,
  { calls, error }: Fault,
  first: number,
  reached: () => number,
): Promise<string[]> {
  const args = ["-f", "-qq", "-p", String(booted.server.pid), "-o", "/dev/null"];
  const strace = spawn("strace", [
    ...args,
    "-e",
    `trace=${calls}`,
    "-e",
    `inject=${calls}:error=${error}:when=${first}..${first + 3}`,
  ]);
  let said = "";
  strace.stderr.on("data", text => (said += text));
  await sleep(300);
  const began = performance.now();
  // On a busy machine the n-th call takes its time.
  const odd = await readThrough(booted, () => performance.now() - began > (reached() > 0 ? 2_200 : 20_000));
  const early = strace.exitCode !== null;
  await detach(strace);
  await sleep(300);
  return early ? [`strace ended early: ${said}`] : odd;
}

/** Asks for the whole log until it is enough. What is not an answer in order or a refusal to try again is told. */
async function readThrough({ url, token }: Booted, enough: () => boolean): Promise<string[]> {
  const odd = new Set<string>();
  const paths = ["/api/posture/attestation-chain", "/api/audit?limit=200", "/api/audit/stats", "/api/dashboard"];
  for (let turn = 0; !enough(); turn++) {
    const path = paths[turn % paths.length]!;
    const reply = await call(url, "GET", path, { token }).catch(() => undefined);
    if (reply?.status !== 200 && reply?.status !== 503)
      odd.add(`${path} was answered with ${reply?.status ?? "nothing"}`);
  }
  return [...odd];
}

async function detach(strace: ChildProcess): Promise<void> {
  if (strace.exitCode !== null) return;
  const gone = new Promise(resolve => strace.once("exit", resolve));
  strace.kill("SIGINT");
  await gone;
}

/** Without a restart: what is sent now is stored. */
async function stillServes({ url, server }: Booted, agent: string, ledger: Ledger, id: string): Promise<string[]> {
  const event = { id, time: "2026-11-21T10:00:00Z", type: "shell.exec" };
  ledger.sending([id]);
  const reply = await call(url, "POST", "/api/events", { token: agent, body: event }).catch(() => undefined);
  if (reply?.status === 200) ledger.acknowledged([id], reply.json.head);
  if (reply?.status === 200) return [];
  const said = server.err().split("\n").slice(-4).join(" ").slice(0, 1500);
  return [`it does not store any more: ${reply?.status} ${reply?.text ?? "no answer"}; it said ${said}`];
}

function missing(): string | undefined {
  if (process.platform !== "linux") return "it needs Linux";
  const { status, error } = spawnSync("strace", [
    "-qq",
    "-o",
    "/dev/null",
    "-e",
    "inject=fsync:error=EIO:when=1",
    "true",
  ]);
  if (error) return "strace is not installed";
  return status === 0 ? undefined : "strace may not trace here";
}

export const ioError: Harness = {
  name: "io-error",
  rounds: 8,
  missing,
  mutant: [acknowledgesFailures],
  caught: /acknowledged events are lost/,
  run,
};
