import type { Agent } from "../domain/fleet/agent.ts";
import {
  declaredTool,
  type Declaration,
  type Drift,
  drift,
  driftKey,
  type DriftKind,
  type ObservedCalls,
} from "../domain/posture/drift.ts";
import type { Severity } from "../domain/policy/verdict.ts";
import { iso } from "../domain/time.ts";
import type { Actor } from "../domain/org/actor.ts";
import { refusal } from "../errors.ts";
import { type Context, long, write } from "./answer.ts";
import { record } from "./record.ts";
import type { DeclaredTimes } from "../store/posture.ts";
import { recentUnhooked } from "./unhooked.ts";

const PAGE = 200;
/** A difference that nobody has seen for so long is history. */
const REMEMBERED_MS = 30 * 24 * 3_600_000;

export interface Fleet {
  agents: Agent[];
  declared: Declaration[];
}

/** Every installation with what it declares, page by page. */
export function* wholeFleet({ store, now }: Context): Generator<undefined, Fleet> {
  const fleet: Fleet = { agents: [], declared: [] };
  for (;;) {
    const after = fleet.agents.at(-1)?.id;
    const page = store.agents.page({ stale_before_ms: now(), limit: PAGE, ...(after !== undefined && { after }) });
    if (page.length > 0) {
      const times = store.posture.declared(page[0]!.id, page.at(-1)!.id);
      fleet.agents.push(...page);
      fleet.declared.push(...page.flatMap(agent => declarationOf(agent, times.get(agent.id))));
    }
    if (page.length < PAGE) return fleet;
    yield undefined;
  }
}

function declarationOf({ id, mcp_servers }: Agent, times: readonly DeclaredTimes[] | undefined): Declaration[] {
  if (!times) return [];
  const known = new Map(times.map(server => [server.name, server]));
  const servers = mcp_servers.flatMap(({ name, tools }) => {
    const seen = known.get(name);
    return seen ? [{ ...seen, ...(tools && { tools }) }] : [];
  });
  return [{ agent_id: id, servers }];
}

export interface Seen {
  fleet: Fleet;
  unhooked: readonly ObservedCalls[];
  observed: readonly ObservedCalls[];
}

/** All differences between declared and observed at this moment. */
export function differences(context: Context, { fleet, unhooked, observed }: Seen): Drift[] {
  const enrolled = new Set(fleet.agents.map(agent => agent.id));
  return drift({
    declared: fleet.declared,
    observed: observed.filter(call => enrolled.has(call.agent_id)),
    baselines: context.store.posture.changedTools(),
    unhooked: unhooked.filter(call => enrolled.has(call.agent_id)),
    since_ms: context.now() - REMEMBERED_MS,
  });
}

export interface Acceptance {
  agent_id: string;
  server: string;
  tool: string;
  /** Unix ms: the change as the person saw it; a later one is not accepted along with it. */
  last_seen_ms: number;
  actor: Actor;
}

/**
 * `POST /posture/drift/accept`: the definition a tool has now is the one to compare with from here on, at every installation
 * that has this same one. The entry holds the definition, so that the log says what was accepted.
 */
export const accept = write((context, { agent_id, server, tool, last_seen_ms, actor }: Acceptance) => {
  const { agents, posture } = context.store;
  const ofTool = posture.changedTools().filter(each => each.server === server && each.definition.name === tool);
  const change = ofTool.find(each => each.agent_id === agent_id);
  const definition = declaredTool(agents.get(agent_id)?.mcp_servers ?? [], server, tool);
  if (!change || !definition) throw refusal("not_found", "No such tool of this agent has changed.");
  if (change.changed_last_ms !== last_seen_ms)
    throw refusal("conflict", "The tool has changed again since: look at the difference as it is now.");
  const agent_ids = ofTool.filter(each => each.fingerprint === change.fingerprint).map(each => each.agent_id);
  const { ts } = record(context, "drift.accepted", actor, { agent_ids, server, definition });
  return { server, tool, agent_ids, accepted_at: iso(ts) };
});

export interface DriftQuery {
  kind?: DriftKind;
  severity?: Severity;
  agent_id?: string;
  /** `driftKey` of the last one of the page before. */
  after?: string;
  limit: number;
}

/** `GET /posture/drift`. */
export const list = long(function* (context, { kind, severity, agent_id, after, limit }: DriftQuery) {
  const fleet = yield* wholeFleet(context);
  const unhooked = yield* recentUnhooked(context);
  const all = differences(context, { fleet, unhooked, observed: context.store.audit.mcpCalls() });
  const wanted = all.filter(
    each =>
      (kind === undefined || each.kind === kind) &&
      (severity === undefined || each.severity === severity) &&
      (agent_id === undefined || each.agent_id === agent_id),
  );
  const start = after === undefined ? 0 : wanted.findIndex(each => driftKey(each) === after) + 1;
  return { items: wanted.slice(start, start + limit).map(view), more: start + limit < wanted.length };
});

function view({ first_seen_ms, last_seen_ms, ...rest }: Drift) {
  return { ...rest, first_seen_at: iso(first_seen_ms), last_seen_at: iso(last_seen_ms) };
}
