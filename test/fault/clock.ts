/** The clock jumps under load, forwards and backwards: receipt times never go back, sessions end and nobody is locked out. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root as ownRoot } from "../target.ts";
import { call } from "../world.ts";
import type { Harness, Outcome, RunOptions } from "./harness.ts";
import { Ledger } from "./ledger.ts";
import { believesTheClock } from "./mutants.ts";
import { type Booted, boot, connect, examine, kill, raging, signIn, storm } from "./storm.ts";

const HOUR_MS = 3_600_000;
/** Longer than a session lives. */
const SESSION_MS = 13 * HOUR_MS;
const jumps_ms = [90_000, -90_000, HOUR_MS, -2 * HOUR_MS, 24 * HOUR_MS, -40 * 24 * HOUR_MS, 1, -1];

async function run({ rounds, next, root = ownRoot }: RunOptions): Promise<Outcome> {
  const data = mkdtempSync(join(tmpdir(), "gatehouse-fault-"));
  const file = join(data, "clock");
  const place = { data, main: join(import.meta.dirname, "clock-server.ts"), args: [root, file] };
  const ledger = new Ledger();
  const problems: string[] = [];
  let offset_ms = 0;
  let jumps = 0;
  const set = (ms: number) => writeFileSync(file, `${++jumps} ${(offset_ms += ms)}`);
  set(0);
  let booted = await boot(place);
  const jump = async (ms: number) => {
    set(ms);
    await booted.server.said(new RegExp(`clock ${jumps} `));
  };
  const agent = await connect(booted);
  for (let round = 0; round < rounds && problems.length === 0; round++) {
    const weather = storm({ url: booted.url, agent, ledger, name: String(round), next });
    await raging(ledger, 50);
    await jump(jumps_ms[Math.floor(next() * jumps_ms.length)]!);
    await raging(ledger, 50);
    const seen = await weather.stop();
    const bad = Object.keys(seen).filter(status => status !== "200");
    if (bad.length > 0) problems.push(`replies by status after a jump: ${JSON.stringify(seen)}`);
    problems.push(...(await sessions(booted, jump)));
    booted.token = (await signIn(booted.url)).json.token;
    if (round % 3 === 2) {
      await kill(booted);
      booted = await boot(place);
    }
    problems.push(...(await examine(booted, ledger)), ...(await order(booted)));
  }
  await kill(booted);
  rmSync(data, { recursive: true, force: true });
  return { acknowledged: ledger.size, problems, told: `the clock jumped ${jumps - 1} times` };
}

/** A session outlives no jump past its end, and signing in works after it. */
async function sessions({ url }: Booted, jump: (ms: number) => Promise<void>): Promise<string[]> {
  const problems: string[] = [];
  const before = await signIn(url);
  if (before.status !== 200) return [`signing in answers ${before.status} ${before.text}`];
  const ask = async () => (await call(url, "GET", "/api/auth/session", { token: before.json.token })).status;
  if ((await ask()) !== 200) problems.push("a fresh session is refused");
  await jump(SESSION_MS);
  if ((await ask()) !== 401) problems.push("a session has outlived its end");
  const after = await signIn(url);
  if (after.status !== 200) problems.push(`signing in after a jump answers ${after.status} ${after.text}`);
  await jump(-SESSION_MS);
  const back = await signIn(url);
  if (back.status !== 200) problems.push(`signing in after a jump back answers ${back.status} ${back.text}`);
  return problems;
}

/** Receipt times of the whole log, from the exact leaves. */
async function order({ url, token }: Booted): Promise<string[]> {
  const { text } = await call(url, "GET", "/api/audit/export?format=leaves", { token });
  let last = 0;
  for (const line of text.trim().split("\n")) {
    const { seq, ts } = JSON.parse(line) as { seq: number; ts: number };
    if (ts < last) return [`the receipt time goes back at ${seq}`];
    last = ts;
  }
  return [];
}

export const clock: Harness = {
  name: "clock",
  rounds: 8,
  missing: () => undefined,
  mutant: [believesTheClock],
  caught: /receipt time goes back|chain breaks/,
  run,
};
