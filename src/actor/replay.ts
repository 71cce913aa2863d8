import { decide } from "../domain/policy/decide.ts";
import type { Call, Decision } from "../domain/policy/verdict.ts";
import type { StoredEntry } from "../store/log.ts";
import { type Context, long } from "./answer.ts";
import { byAgent } from "./by-agent.ts";

/** What is read of a logged decision. */
interface Logged {
  action: {
    kind: string;
    command?: string;
    server?: string;
    tool?: string;
    args?: Record<string, unknown>;
    cwd?: string;
  };
  client?: string;
  rules?: string[];
  attributes?: { repo?: string; branch?: string };
}

export interface Changed {
  seq: number;
  agent_id: string | null;
  action: Logged["action"];
  before: { decision: Decision; rules: string[] };
  after: { decision: Decision; rules: string[]; reasons: string[] };
}

const PAGE = 200;

/** `POST /policy/replay`: the last N logged calls judged by a draft; only verdicts that would change are told. */
export const replay = long(function* (context, { yaml, last }: { yaml: string; last: number }) {
  const rulebook = context.rulebooks.compile(context, context.rulebooks.validate(yaml));
  const changed: Changed[] = [];
  let replayed = 0;
  for (const entry of newest(context, last)) {
    const call = callOf(entry);
    if (!call || !entry.decision) continue;
    replayed++;
    const verdict = decide(call.agent ? byAgent(context, call, call.agent, rulebook) : call, rulebook, "enforce");
    if (verdict.decision !== entry.decision) changed.push(difference(entry, entry.decision, verdict));
    if (replayed % 50 === 0) yield undefined;
  }
  return { replayed, changed };
});

function* newest({ store }: Context, last: number): Generator<StoredEntry> {
  let cursor: string | undefined;
  for (let left = last; left > 0; ) {
    const page = store.log.page({
      kind: "policy.decision",
      limit: Math.min(PAGE, left),
      ...(cursor ? { cursor } : {}),
    });
    yield* page.entries;
    left -= page.entries.length;
    if (page.next === null) return;
    cursor = page.next;
  }
}

function callOf({ body, agent }: StoredEntry): Call | undefined {
  if (body === null) return undefined;
  const { action, client, attributes } = JSON.parse(body) as Logged;
  const { cwd } = action;
  const { repo, branch } = attributes ?? {};
  const world = {
    ...(cwd ? { cwd } : {}),
    ...(client ? { client } : {}),
    ...(agent ? { agent } : {}),
    ...(repo ? { repo } : {}),
    ...(branch ? { branch } : {}),
  };
  if (action.kind === "shell" && action.command !== undefined)
    return { type: "shell", command: action.command, ...world };
  if (action.kind !== "mcp" || action.tool === undefined) return undefined;
  return {
    type: "mcp",
    tool: action.tool,
    args: action.args ?? {},
    ...(action.server ? { server: action.server } : {}),
    ...world,
  };
}

function difference(entry: StoredEntry, decision: Decision, after: Changed["after"]): Changed {
  const { action, rules } = JSON.parse(entry.body!) as Logged;
  const { decision: now, rules: by, reasons } = after;
  return {
    seq: entry.seq,
    agent_id: entry.agent ?? null,
    action,
    before: { decision, rules: rules ?? [] },
    after: { decision: now, rules: by, reasons },
  };
}
