import {
  declaredTool,
  declaration,
  type Declaration,
  type Drift,
  drift,
  type DriftKind,
} from "../domain/posture/drift.ts";
import type { ObservedCalls } from "../domain/posture/drift.ts";
import type { Severity } from "../domain/policy/verdict.ts";
import { iso } from "../domain/time.ts";
import type { Actor } from "../domain/org/actor.ts";
import { refusal } from "../errors.ts";
import type { DriftPosition, Told } from "../store/drift.ts";
import { type Context, long, write } from "./answer.ts";
import { record } from "./record.ts";
import { recentUnhooked } from "./unhooked.ts";

const PAGE = 200;
/** A difference that nobody has seen for so long is history. */
const REMEMBERED_MS = 30 * 24 * 3_600_000;

/** How many differences there are, by severity. */
export type DriftCounts = Record<Severity, number>;

const toldNow = ({ now }: Context, unhooked: readonly ObservedCalls[]): Told => ({
  since_ms: now() - REMEMBERED_MS,
  unhooked,
});

/** As they are kept. */
export const countDrift = (context: Context, unhooked: readonly ObservedCalls[]): DriftCounts =>
  context.store.drift.counts(toldNow(context, unhooked));

export interface Fleet {
  enrolled: ReadonlySet<string>;
  declared: readonly Declaration[];
}

/** Everybody and what they declare, page by page: for what is compared anew because it is signed. */
export function* wholeFleet({ store, now }: Context): Generator<undefined, Fleet> {
  const enrolled = new Set<string>();
  const declared: Declaration[] = [];
  for (let after = ""; ; yield undefined) {
    const page = store.agents.page({ stale_before_ms: now(), limit: PAGE, after });
    const last = page.at(-1)?.id;
    const times = last === undefined ? new Map() : store.posture.declared(page[0]!.id, last);
    for (const { id, mcp_servers } of page) {
      enrolled.add(id);
      if (times.has(id)) declared.push(declaration(id, mcp_servers, times.get(id)!));
    }
    if (page.length < PAGE) return { enrolled, declared };
    after = last!;
  }
}

/** From scratch: what is declared against calls that the log has just proved. */
export function compareDrift(
  context: Context,
  { enrolled, declared }: Fleet,
  calls: Record<"unhooked" | "observed", readonly ObservedCalls[]>,
): DriftCounts {
  const counts = { low: 0, medium: 0, high: 0, critical: 0 };
  const baselines = context.store.posture.changedTools();
  const [unhooked, observed] = [calls.unhooked, calls.observed].map(all =>
    all.filter(one => enrolled.has(one.agent_id)),
  );
  const { since_ms } = toldNow(context, []);
  for (const { severity } of drift({ declared, baselines, unhooked: unhooked!, observed: observed!, since_ms }))
    counts[severity]++;
  return counts;
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
  after?: DriftPosition;
  limit: number;
}

/** `GET /posture/drift`. `next`: where the next page begins, undefined on the last one. */
export const list = long(function* (context, query: DriftQuery) {
  const { after, limit } = query;
  const told = toldNow(context, yield* recentUnhooked(context));
  const found = context.store.drift.page({ ...query, ...told, limit: limit + 1 });
  const items = found.slice(0, limit);
  return { items: items.map(view), next: found.length > limit ? positionOf(items, after) : undefined };
});

function positionOf(items: readonly Drift[], before: DriftPosition | undefined): DriftPosition {
  const { severity, last_seen_ms } = items.at(-1)!;
  const isLike = (one: Pick<Drift, "severity" | "last_seen_ms">) =>
    one.severity === severity && one.last_seen_ms === last_seen_ms;
  return { severity, last_seen_ms, told: items.filter(isLike).length + (before && isLike(before) ? before.told : 0) };
}

function view({ first_seen_ms, last_seen_ms, ...rest }: Drift) {
  return { ...rest, first_seen_at: iso(first_seen_ms), last_seen_at: iso(last_seen_ms) };
}
