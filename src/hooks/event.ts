import type { Call, Verdict } from "../domain/policy/verdict.ts";
import type { Action, Ambient, Client, Event, Phase, Reading } from "./dialect.ts";
import { bounded, present } from "./payload.ts";

/** What a dialect has understood, before it becomes a reading. */
export interface Understood {
  client: Client;
  phase: Phase;
  hook: string;
  type?: string;
  session_id?: string | undefined;
  tool_use_id?: string | undefined;
  trace_id?: string | undefined;
  time_ms?: number | undefined;
  exit_code?: number | undefined;
  duration_ms?: number | undefined;
  action?: Action | undefined;
  calls?: Call[];
  attributes?: Record<string, unknown>;
}

const done: Record<Action["kind"], string> = {
  shell: "shell.exec",
  mcp: "mcp.call",
  file: "file.access",
  net: "net.fetch",
  tool: "tool.call",
};

export function reading(seen: Understood, ambient: Ambient): Reading {
  const { client, trace_id, exit_code } = seen;
  const [session_id, tool_use_id] = [cut(seen.session_id), cut(seen.tool_use_id)];
  const action = seen.action && shortened(seen.action);
  const duration_ms = seen.duration_ms === undefined ? undefined : Math.max(0, Math.round(seen.duration_ms));
  const event: Event = {
    id: eventId(seen, ambient),
    time: new Date(inRange(seen.time_ms) ?? ambient.now_ms).toISOString(),
    type: seen.type ?? typeOf(seen),
    client,
    ...present({ session_id, tool_use_id, trace_id, exit_code, duration_ms, action }),
    ...attributesOf(seen.attributes),
  };
  return { phase: seen.phase, hook: seen.hook, calls: seen.calls ?? [], event };
}

const nameMax = 1024;
const pathMax = 4096;
const argsBytesMax = 32 * 1024;
const cut = (text: string | undefined, max = nameMax): string | undefined => text?.slice(0, max);

/** Within what the server takes of an event: names are cut, arguments that are too large only tell their size. */
function shortened(action: Action): Action {
  const { server, tool, cwd, args } = action;
  const bytes = args === undefined ? 0 : JSON.stringify(args).length;
  return {
    ...action,
    ...present({ server: cut(server), tool: cut(tool), cwd: cut(cwd, pathMax) }),
    ...(bytes > argsBytesMax ? { args: { truncated: true, bytes } } : {}),
  };
}

/** The same hook seen twice (installed at two scopes, sent again) has the same id, so that it is counted once. */
function eventId(seen: Understood, ambient: Ambient): string {
  const step = seen.phase === "before" || seen.phase === "after" ? seen.phase : seen.hook;
  const own = seen.tool_use_id ? [seen.client, seen.session_id ?? "", seen.tool_use_id, step].join(":") : "";
  return /^[A-Za-z0-9._:-]{1,128}$/.test(own) ? own : `${seen.client}:${ambient.random()}`;
}

function typeOf(seen: Understood): string {
  if (seen.action && seen.phase === "after") return done[seen.action.kind];
  if (seen.action && seen.phase === "before") return "tool.request";
  const name = seen.hook.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  return `hook.${name.replaceAll(/[^a-z0-9._-]/g, "_").slice(0, 100)}`;
}

/** Times ECMAScript can print with four-digit years; anything else is the agent's mistake. */
const inRange = (ms: number | undefined): number | undefined =>
  ms !== undefined && ms >= 0 && ms < 253_402_300_800_000 ? ms : undefined;

function attributesOf(attributes: Record<string, unknown> = {}): { attributes?: Record<string, unknown> } {
  const kept = bounded(present(attributes)) as Record<string, unknown>;
  return Object.keys(kept).length > 0 ? { attributes: kept } : {};
}

/** The event of a judged call: one `policy.decision`, the true decision even where it is not enforced. */
export function decided(event: Event, verdict: Verdict): Event {
  const { decision, rules, mode, enforced } = verdict;
  return { ...event, type: "policy.decision", decision, rules, attributes: { ...event.attributes, mode, enforced } };
}

/** W3C Trace Context `00-<trace id>-<parent id>-<flags>`. */
export const traceIdOf = (traceparent: unknown): string | undefined =>
  typeof traceparent === "string" ? /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-/.exec(traceparent)?.[1] : undefined;

/** RFC 3339 text or Unix milliseconds. */
export function timeOf(value: unknown): number | undefined {
  const ms = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : Number.NaN;
  return Number.isFinite(ms) ? ms : undefined;
}
