import type { ObservedCalls } from "../domain/posture/drift.ts";
import { type Sighting, unhookedCalls } from "../domain/posture/unhooked.ts";
import type { OrgStore } from "../store/org-store.ts";
import { sha256 } from "../store/crypto.ts";
import type { StoredEntry } from "../store/log.ts";
import type { Context } from "./answer.ts";

const WINDOW_MS = 24 * 3_600_000;
/** At most so many entries are looked at: the newest. */
const ENTRIES_MAX = 50_000;
/** A call is announced before it runs, and before telemetry tells of it: looked for so much further back. */
const LEAD_MS = 15 * 60_000;
const LEAD_ENTRIES = 10_000;
const KEEP_MS = 30_000;
const SLICE = 1_024;
/** How the OTLP receivers mark what they took in. */
const TELEMETRY = '"source":"otlp"';
const announcing = new Set(["policy.decision", "tool.request"]);

interface Call extends Sighting {
  agent: string;
  server: string;
}

interface Remembered {
  at_ms: number;
  calls: ObservedCalls[];
  /** What telemetry saw executed in entries before `size`, oldest first: they do not change, and are not read again. */
  executed: Call[];
  size: number;
}

const remembered = new WeakMap<OrgStore, Remembered>();

/** Calls of the last 24 hours that telemetry saw executed and no hook announced. */
export function* recentUnhooked(context: Context): Generator<undefined, ObservedCalls[]> {
  const { store, now } = context;
  const known = remembered.get(store);
  if (known && now() - known.at_ms < KEEP_MS) return known.calls;
  const { size } = store.log.head();
  const since_ms = now() - WINDOW_MS;
  const from = Math.max(store.log.seqAt(since_ms), size - ENTRIES_MAX);
  const later = yield* calls(context, Math.max(from, known?.size ?? 0), size, TELEMETRY, kind => !announcing.has(kind));
  const before = known?.executed.filter(call => call.received_ms >= since_ms) ?? [];
  const executed = [...before, ...later].slice(-ENTRIES_MAX);
  const lead = Math.max(store.log.seqAt(since_ms - LEAD_MS), from - LEAD_ENTRIES);
  // Nothing was seen to run, so nothing needs to have been announced: most organisations end here.
  const announced = executed.length === 0 ? [] : yield* calls(context, lead, size, "", kind => announcing.has(kind));
  const found = summed(executed.length === 0 ? [] : perAgent(executed, announced, now()));
  remembered.set(store, { at_ms: now(), calls: found, executed, size });
  return found;
}

/** Calls of telemetry entries whose body holds `text`. */
function* calls(
  { store }: Context,
  from: number,
  size: number,
  text: string,
  wanted: (kind: string) => boolean,
): Generator<undefined, Call[]> {
  const found: Call[] = [];
  for (let at = from; at < size; at += SLICE) {
    for (const entry of store.log.read(at, Math.min(at + SLICE, size), text))
      if (entry.stream === "telemetry" && entry.agent !== undefined && entry.body !== null && wanted(entry.kind))
        found.push(...callOf(entry));
    yield undefined;
  }
  return found;
}

interface Body {
  client?: string;
  session_id?: string;
  tool_use_id?: string;
  trace_id?: string;
  time?: string;
  action?: { kind?: string; server?: string; tool?: string };
}

function callOf({ agent, body, ts }: StoredEntry): Call[] {
  const { client, session_id, tool_use_id, trace_id, time, action } = JSON.parse(body!) as Body;
  if (!client || !action?.kind) return [];
  const server = action.kind === "mcp" ? (action.server ?? "") : "";
  const tool = action.kind === "mcp" ? `${server}/${nameToJoin(client, action.tool ?? "")}` : action.kind;
  const ids = { ...(session_id && { session_id }), ...(tool_use_id && { tool_use_id }), ...(trace_id && { trace_id }) };
  const time_ms = Math.min(Date.parse(time ?? "") || ts, ts);
  return [{ agent: agent!, server, client, tool, time_ms, received_ms: ts, ...ids }];
}

const digest = /^[0-9a-f]{64}$/;

/** Telemetry of Copilot CLI tells of MCP tools by the SHA-256 of their name only. */
const nameToJoin = (client: string, tool: string): string =>
  client === "copilot-cli" && !digest.test(tool) ? sha256(new TextEncoder().encode(tool)).toHex() : tool;

function perAgent(executed: readonly Call[], announced: readonly Call[], now_ms: number): Call[] {
  const agents = new Set(executed.map(call => call.agent));
  const of = (calls: readonly Call[], agent: string) => calls.filter(call => call.agent === agent);
  return [...agents].flatMap(agent => unhookedCalls(of(executed, agent), of(announced, agent), now_ms));
}

function summed(calls: readonly Call[]): ObservedCalls[] {
  const sums = new Map<string, ObservedCalls>();
  for (const { agent, server, tool, time_ms } of calls) {
    const key = `${agent}\n${tool}`;
    const name = server === "" ? tool : tool.slice(server.length + 1);
    const sum = sums.get(key) ?? {
      agent_id: agent,
      server,
      tool: name,
      calls: 0,
      first_seen_ms: time_ms,
      last_seen_ms: time_ms,
    };
    sum.calls++;
    sum.first_seen_ms = Math.min(sum.first_seen_ms, time_ms);
    sum.last_seen_ms = Math.max(sum.last_seen_ms, time_ms);
    sums.set(key, sum);
  }
  return [...sums.values()];
}
