import { ageInDays, type Figures, type People } from "../domain/compliance/evidence.ts";
import type { ObservedCalls } from "../domain/posture/drift.ts";
import type { AgentCounts } from "../store/agents.ts";
import { countFleet } from "./agents.ts";
import type { Context } from "./answer.ts";
import { chainState, provedChain } from "./chain-state.ts";
import { type Counts, countersOf } from "./counts.ts";
import { compareDrift, countDrift, type DriftCounts, wholeFleet } from "./drift.ts";
import { onUnreachable } from "./policy.ts";
import { recentUnhooked } from "./unhooked.ts";

export interface Gathered {
  figures: Figures;
  /** The log as it stood when the figures were taken: the newest signed note, which covers all of it. */
  checkpoint: string;
  drift: DriftCounts;
  agents: AgentCounts;
}

/**
 * Counts everything that controls rest on. `prove`: for what is signed, from entries recomputed now. Long parts first, in
 * slices; the rest at once, for one position of the log.
 */
export function* gatherFigures(context: Context, people: People, prove: boolean): Generator<undefined, Gathered> {
  const { store, now } = context;
  const unhooked = yield* recentUnhooked(context);
  const { chain, counts, drift } = prove ? yield* proved(context, unhooked) : yield* kept(context, unhooked);
  const checkpoint = store.log.checkpoint();
  const agents = countFleet(context);
  const figures: Figures = {
    log: { from: 0, to: store.log.head().size },
    mode: store.settings.mode().mode,
    chain,
    events: { total: counts.events },
    decisions: counts.decisions,
    policy: policyOf(context),
    agents: agentsOf(agents, unhookedOf(context, unhooked)),
    servers: serversOf(context, counts.servers),
    drift: { open: drift.medium + drift.high + drift.critical, high: drift.high + drift.critical },
    members: { total: people.members, admins: people.admins, changes: counts.member_changes },
    retention: { days: people.retention_days },
    scans: scansOf(context, now()),
    tags: tagsOf(context, counts.rules),
  };
  return { figures, checkpoint, drift, agents };
}

function* kept(context: Context, unhooked: readonly ObservedCalls[]) {
  const chain = yield* chainState(context);
  return { chain, counts: countersOf(context.store), drift: countDrift(context, unhooked) };
}

function* proved(context: Context, unhooked: readonly ObservedCalls[]) {
  const fleet = yield* wholeFleet(context);
  const { chain, counts } = yield* provedChain(context);
  return { chain, counts, drift: compareDrift(context, fleet, { unhooked, observed: counts.calls }) };
}

/** Calls by agents that are still enrolled. */
const unhookedOf = ({ store }: Context, unhooked: readonly ObservedCalls[]): number =>
  unhooked.reduce((sum, { agent_id, calls }) => sum + (store.agents.name(agent_id) === undefined ? 0 : calls), 0);

function policyOf(context: Context): Figures["policy"] {
  const { rulebook, version } = context.rulebooks.own(context);
  const inForce = rulebook.rules.filter(({ nursery }) => !nursery);
  const count = (decision: string) => inForce.filter(({ rule }) => rule.decision === decision).length;
  return { version, ask_rules: count("ASK"), block_rules: count("BLOCK"), on_unreachable: onUnreachable };
}

const agentsOf = ({ total, unheard, silent, policy_lag, hooked }: AgentCounts, unhooked_calls: number) => ({
  total,
  stale: unheard,
  silent,
  lagging: policy_lag,
  hooked,
  unhooked_calls,
});

function serversOf({ store }: Context, observed: number): Figures["servers"] {
  const { names, keys, suspicious } = store.agents.declared();
  return { observed, declared: names, clashes: names - keys, suspicious };
}

function scansOf({ store }: Context, now_ms: number): Figures["scans"] {
  const newest_ms = store.compliance.newestMs();
  if (newest_ms === undefined) return { projects: 0, newest_age_days: 0 };
  const projects = new Set(store.compliance.newest().map(scan => scan.project)).size;
  return { projects, newest_age_days: ageInDays(newest_ms, now_ms) };
}

function tagsOf(context: Context, matched: Counts["rules"]): Figures["tags"] {
  const tags: Record<string, { rules: number; matched: number }> = {};
  for (const { rule } of context.rulebooks.own(context).rulebook.rules) {
    for (const tag of rule.controls ?? []) {
      const entry = Object.hasOwn(tags, tag) ? tags[tag]! : (tags[tag] = { rules: 0, matched: 0 });
      entry.rules++;
      entry.matched += matched.get(rule.id) ?? 0;
    }
  }
  return tags;
}
