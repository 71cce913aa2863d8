import type { Env } from "../../client/folder.ts";
import { type Home, readJson } from "../../client/home.ts";
import { worktreeOf } from "../../client/worktree.ts";
import { strictest } from "../../domain/policy/strictest.ts";
import type { Verdict } from "../../domain/policy/verdict.ts";
import type { Ambient, Answer, DeclaredServer, Event, Reading } from "../../hooks/dialect.ts";
import { decided } from "../../hooks/event.ts";
import { dialects } from "../../hooks/index.ts";
import { failure } from "./failure.ts";
import type { Judge } from "./judge.ts";
import type { Question } from "./question.ts";
import type { Spool } from "./spool.ts";

/** What an answer is made with: opened for one call, or kept open between calls. */
export interface Means {
  env: Env;
  home: Home;
  judge(now_ms: number): Promise<Judge> | Judge;
  spool<T>(work: (spool: Spool) => T): T;
  /** After an event was kept: whoever sends it and renews the policy. */
  kept(spool: Spool, now_ms: number): void;
}

/** The answer in the agent's own form. Never throws: what cannot be judged is refused, in audit-only let go. */
export async function answerTo(question: Question, means: Means): Promise<Answer> {
  try {
    return await answered(question, means);
  } catch (error) {
    return failure(means.env, error);
  }
}

async function answered({ client, hook, payload, nonce }: Question, means: Means): Promise<Answer> {
  const { home } = means;
  const now_ms = Date.now();
  const servers = readJson<DeclaredServer[]>(home.servers) ?? [];
  const ambient: Ambient = { now_ms, random: () => nonce, servers, ...(hook ? { hook } : {}) };
  const dialect = dialects[client];
  const read = dialect.parse(JSON.parse(payload), ambient);
  if ("problem" in read) throw new Error(`the payload of ${client} was not understood: ${read.problem}`);
  // Loaded only where there is something to judge: the rules are most of what a start costs.
  const judged = read.phase === "before" && read.calls.length > 0;
  const judge = judged ? await means.judge(now_ms) : undefined;
  const verdict = judge && verdictOn(read, judge, home);
  keep(client, eventOf(read, verdict, judge), now_ms, means);
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
function keep(client: Question["client"], event: Event, now_ms: number, means: Means): void {
  try {
    means.spool(spool => {
      spool.add(event);
      spool.set(`seen:${client}`, String(now_ms));
      means.kept(spool, now_ms);
    });
  } catch (error) {
    process.stderr.write(`gatehouse: the event was not kept: ${(error as Error).message}\n`);
  }
}
