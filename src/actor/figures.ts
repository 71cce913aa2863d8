import { ageInDays, type Figures, type People } from "../domain/compliance/evidence.ts";
import { type Agent, staleAfterMs } from "../domain/fleet/agent.ts";
import type { Drift } from "../domain/posture/drift.ts";
import { schemaTexts } from "../domain/posture/schema-change.ts";
import { isSuspicious } from "../domain/posture/text-change.ts";
import { nameKey } from "../domain/posture/tool.ts";
import type { Context } from "./answer.ts";
import { chainState, provedChain } from "./chain-state.ts";
import { type Counts, countersOf } from "./counts.ts";
import { differences, wholeFleet } from "./drift.ts";
import { onUnreachable } from "./policy.ts";
import { recentUnhooked } from "./unhooked.ts";

export interface Gathered {
  figures: Figures;
  /** The log as it stood when the figures were taken: the newest signed note, which covers all of it. */
  checkpoint: string;
  drift: Drift[];
}

const SILENT_MS = 90 * 24 * 3_600_000;

/**
 * Counts everything that controls rest on. `prove`: for what is signed, from entries recomputed now. Long parts first, in
 * slices; the rest at once, for one position of the log.
 */
export function* gatherFigures(context: Context, people: People, prove: boolean): Generator<undefined, Gathered> {
  const { store, now } = context;
  const fleet = yield* wholeFleet(context);
  const unhooked = yield* recentUnhooked(context);
  const { chain, counts } = prove ? yield* provedChain(context) : yield* countedChain(context);
  const drift = differences(context, { fleet, unhooked, observed: counts.calls });
  const checkpoint = store.log.checkpoint();
  const figures: Figures = {
    log: { from: 0, to: store.log.head().size },
    mode: store.settings.mode().mode,
    chain,
    events: { total: counts.events },
    decisions: counts.decisions,
    policy: policyOf(context),
    agents: agentsOf(context, fleet.agents, unhookedOf(drift)),
    servers: serversOf(fleet.agents, counts.servers),
    drift: {
      open: drift.filter(each => each.severity !== "low").length,
      high: drift.filter(each => each.severity === "high" || each.severity === "critical").length,
    },
    members: { total: people.members, admins: people.admins, changes: counts.member_changes },
    retention: { days: people.retention_days },
    scans: scansOf(context, now()),
    tags: tagsOf(context, counts.rules),
  };
  return { figures, checkpoint, drift };
}

function* countedChain(context: Context) {
  return { chain: yield* chainState(context), counts: countersOf(context.store) };
}

const unhookedOf = (drift: readonly Drift[]): number =>
  drift.filter(each => each.kind === "unhooked_call").reduce((sum, each) => sum + each.count, 0);

function policyOf(context: Context): Figures["policy"] {
  const { rulebook, version } = context.rulebooks.own(context);
  const inForce = rulebook.rules.filter(({ nursery }) => !nursery);
  const count = (decision: string) => inForce.filter(({ rule }) => rule.decision === decision).length;
  return { version, ask_rules: count("ASK"), block_rules: count("BLOCK"), on_unreachable: onUnreachable };
}

function agentsOf({ store, now, heartbeat_s }: Context, agents: readonly Agent[], unhooked_calls: number) {
  const stale_before = now() - staleAfterMs(heartbeat_s);
  const silentSince = (before_ms: number) => agents.filter(a => (a.last_seen_ms ?? a.created_ms) < before_ms).length;
  const newest = store.policies.newest();
  return {
    total: agents.length,
    stale: silentSince(stale_before),
    silent: silentSince(now() - SILENT_MS),
    lagging: agents.filter(agent => (agent.policy_version ?? 0) < newest).length,
    hooked: agents.filter(agent => agent.hooks.some(hook => hook.installed && hook.trusted !== false)).length,
    unhooked_calls,
  };
}

function serversOf(agents: readonly Agent[], observed: number): Figures["servers"] {
  const servers = agents.flatMap(agent => agent.mcp_servers);
  const names = new Set(servers.map(server => server.name));
  const keys = new Set([...names].map(nameKey));
  const tools = servers.flatMap(server => server.tools ?? []);
  const texts = new Set(tools.map(t => [t.title ?? "", t.description ?? "", schemaTexts(t.input_schema)].join("\n")));
  return {
    observed,
    declared: names.size,
    clashes: names.size - keys.size,
    suspicious: [...texts].filter(isSuspicious).length,
  };
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
