import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { type Home, homeOf, readCredentials, readJson } from "../client/home.ts";
import type { Judge } from "./local/judge.ts";
import { openSpool } from "./local/spool.ts";
import { cachedPolicy } from "../client/policy-cache.ts";
import { worktreeOf } from "../client/worktree.ts";
import { strictest } from "../domain/policy/strictest.ts";
import type { Verdict } from "../domain/policy/verdict.ts";
import type { Ambient, Answer, Client, DeclaredServer, Event, Reading } from "../hooks/dialect.ts";
import { decided } from "../hooks/event.ts";
import { dialects, isClient } from "../hooks/index.ts";
import { thisProgram } from "./installation.ts";
import type { Io, Run } from "./io.ts";

const USAGE = `Usage: gatehouse hook <agent> [event]

What agents run at each tool call: reads the agent's JSON on standard input, answers in the agent's own form, and keeps the
event for the server. The verdict needs no network. Exit code 2 refuses where an answer could not be given.
GATEHOUSE_BACKGROUND=0 starts no process that sends events and renews the policy: run \`gatehouse heartbeat\` yourself then.`;

/** All agents' timeouts are longer; almost all of them let the call through when their hook takes too long. */
const patience_ms = 800;
const dead_ms = 2000;
const payloadMax = 4 * 1024 * 1024;

export const run: Run = async ([agent = "", hook], io) => {
  if (agent === "--help" || agent === "-h") return (io.out(USAGE), 0);
  if (!isClient(agent))
    return (io.err(`gatehouse: ${agent.slice(0, 40)} is not an agent Gatehouse knows.\n${USAGE}`), 2);
  const watchdog = setTimeout(() => process.exit(2), dead_ms);
  const home = homeOf(io.env);
  const answer = await answerTo(agent, hook, home, io).catch((error: unknown) => failure(home, error));
  clearTimeout(watchdog);
  if (answer.stdout) io.out(answer.stdout.trimEnd());
  if (answer.stderr) io.err(answer.stderr.trimEnd());
  return answer.exit;
};

async function answerTo(client: Client, hook: string | undefined, home: Home, io: Io): Promise<Answer> {
  const payload = JSON.parse(await readInput(io)) as unknown;
  const now_ms = Date.now();
  const servers = readJson<DeclaredServer[]>(home.servers) ?? [];
  const ambient: Ambient = { now_ms, random: randomUUID, servers, ...(hook ? { hook } : {}) };
  const dialect = dialects[client];
  const read = dialect.parse(payload, ambient);
  if ("problem" in read) throw new Error(`the payload of ${client} was not understood: ${read.problem}`);
  // Loaded only where there is something to judge: the rules are most of what a start costs.
  const judged = read.phase === "before" && read.calls.length > 0;
  const judge = judged ? (await import("./local/judge.ts")).openJudge(home, now_ms) : undefined;
  const verdict = judge && verdictOn(read, judge, home);
  keep(home, client, eventOf(read, verdict, judge), now_ms, io.env["GATEHOUSE_BACKGROUND"] !== "0");
  return dialect.answer(read, verdict);
}

function verdictOn({ calls }: Reading, judge: Judge, home: Home): Verdict | undefined {
  const cwd = calls[0]?.cwd;
  const place = { home: home.user, ...(cwd ? worktreeOf(cwd) : {}) };
  return strictest(calls.map(call => judge.judge({ ...place, ...call })));
}

function eventOf({ event }: Reading, verdict: Verdict | undefined, judge: Judge | undefined): Event {
  if (!verdict || !judge) return event;
  const { source, policy_version, stale } = judge;
  const facts = {
    source,
    reasons: verdict.reasons.slice(0, 5),
    ...(policy_version === undefined ? {} : { policy_version }),
    ...(stale ? { stale } : {}),
  };
  const marked = decided(event, verdict);
  return { ...marked, attributes: { ...marked.attributes, ...facts } };
}

/** An event that cannot be kept must not stop the work: the answer is given all the same, and stderr says so. */
function keep(home: Home, client: Client, event: Event, now_ms: number, background: boolean): void {
  try {
    const spool = openSpool(home);
    try {
      spool.add(event);
      spool.set(`seen:${client}`, String(now_ms));
      if (background && readCredentials(home) && spool.claim("background", now_ms, flushMs(home))) startBackground();
    } finally {
      spool.close();
    }
  } catch (error) {
    process.stderr.write(`gatehouse: the event was not kept: ${(error as Error).message}\n`);
  }
}

const flushMs = (home: Home): number =>
  readJson<{ config?: { events?: { flush_ms?: number } } }>(home.policy)?.config?.events?.flush_ms ?? 2000;

/** Sends what waits, renews the policy and reports in, in a process nobody waits for. */
function startBackground(): void {
  const { path, args } = thisProgram();
  spawn(path, [...args, "heartbeat", "--background"], { detached: true, stdio: "ignore" })
    .on("error", () => undefined)
    .unref();
}

/** What went wrong on our side. Enforced, it refuses (exit 2 is the one signal all agents obey); in audit-only it lets go. */
function failure(home: Home, error: unknown): Answer {
  const mode = cachedPolicy(home, readCredentials(home)?.signing_keys ?? [])?.document.enforcement_mode;
  const stderr = `Gatehouse could not judge this call (${(error as Error).message}). The organisation's policy refuses what cannot be judged; no person cancelled it.\n`;
  return mode === "audit-only" ? { stdout: "{}\n", stderr, exit: 0 } : { stdout: "", stderr, exit: 2 };
}

async function readInput(io: Io): Promise<string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the agent sent nothing in time")), patience_ms);
  });
  const text = await Promise.race([io.stdin(), late]).finally(() => clearTimeout(timer));
  if (text.length > payloadMax) throw new Error("the payload is larger than 4 MiB");
  return text;
}
