import type { Agent } from "../domain/fleet/agent.ts";
import {
  type Declaration,
  type Drift,
  drift,
  driftKey,
  type DriftKind,
  type ObservedCalls,
} from "../domain/posture/drift.ts";
import type { Severity } from "../domain/policy/verdict.ts";
import { iso } from "../domain/time.ts";
import { type Context, long } from "./answer.ts";
import { recentUnhooked } from "./unhooked.ts";

const PAGE = 200;
/** A difference that nobody has seen for so long is history. */
const REMEMBERED_MS = 30 * 24 * 3_600_000;

/** Every installation, page by page. */
export function* allAgents({ store, now }: Context): Generator<undefined, Agent[]> {
  const agents: Agent[] = [];
  for (;;) {
    const after = agents.at(-1)?.id;
    const query = { stale_before_ms: now(), limit: PAGE, ...(after === undefined ? {} : { after }) };
    const page = store.agents.page(query);
    agents.push(...page);
    if (page.length < PAGE) return agents;
    yield undefined;
  }
}

export interface Seen {
  agents: readonly Agent[];
  unhooked: readonly ObservedCalls[];
  observed: readonly ObservedCalls[];
}

/** All differences between declared and observed at this moment. */
export function differences(context: Context, { agents, unhooked, observed }: Seen): Drift[] {
  const enrolled = new Set(agents.map(agent => agent.id));
  return drift({
    declared: agents.flatMap(agent => declarationOf(context, agent)),
    observed: observed.filter(call => enrolled.has(call.agent_id)),
    baselines: context.store.posture.changedTools(),
    unhooked: unhooked.filter(call => enrolled.has(call.agent_id)),
    since_ms: context.now() - REMEMBERED_MS,
  });
}

function declarationOf({ store }: Context, { id, mcp_servers }: Agent): Declaration[] {
  const times = store.posture.declared(id);
  if (!times) return [];
  const known = new Map(times.map(server => [server.name, server]));
  const servers = mcp_servers.flatMap(({ name, tools }) => {
    const seen = known.get(name);
    return seen ? [{ ...seen, ...(tools && { tools }) }] : [];
  });
  return [{ agent_id: id, servers }];
}

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
  const agents = yield* allAgents(context);
  const unhooked = yield* recentUnhooked(context);
  const all = differences(context, { agents, unhooked, observed: context.store.audit.mcpCalls() });
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
