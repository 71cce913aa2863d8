import { type Event, facetsOf } from "../domain/audit/event.ts";
import { isStateKind } from "../domain/audit/kinds.ts";
import type { ObservedCalls } from "../domain/posture/drift.ts";
import type { Stats } from "../store/audit-stats.ts";
import type { ProvedEntry } from "../store/log.ts";
import type { OrgStore } from "../store/org-store.ts";

/** What the log says in numbers. */
export interface Counts {
  /** What agents sent, without the server's own entries. */
  events: number;
  decisions: { total: number; asked: number; blocked: number };
  member_changes: number;
  /** Calls each rule matched. */
  rules: ReadonlyMap<string, number>;
  /** MCP servers seen in use. */
  servers: number;
}

const isReported = (kind: string): boolean => !isStateKind(kind) && kind !== "policy.decision";
const isMemberChange = (kind: string): boolean => /^(member|invitation)\./.test(kind);

/** From the counters beside the log: at once, for what is only looked at. */
export function countersOf({ audit }: OrgStore): Counts {
  const { by_type, by_decision, by_rule } = audit.stats({ by_agent: false });
  const of = (wanted: (kind: string) => boolean) =>
    sum(Object.entries(by_type).flatMap(([kind, n]) => (wanted(kind) ? [n] : [])));
  return {
    events: of(isReported),
    decisions: decisionsOf(by_decision),
    member_changes: of(isMemberChange),
    rules: new Map(by_rule.map(({ rule, count }) => [rule, count])),
    servers: audit.mcpServers().length,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

const decisionsOf = (by: Stats["by_decision"]): Counts["decisions"] => ({
  total: sum(Object.values(by)),
  asked: by["ASK"] ?? 0,
  blocked: by["BLOCK"] ?? 0,
});

/**
 * From entries whose hashes have just been recomputed, and nothing beside them: for what is signed. A body that has been
 * erased proves its kind and a `policy.decision`, but no rule and no MCP call any more.
 */
export class ProvedCounts implements Counts {
  /** Entries counted, from the first. */
  size = 0;
  events = 0;
  member_changes = 0;
  readonly rules = new Map<string, number>();
  readonly #decisions: Record<string, number> = {};
  readonly #calls = new Map<string, ObservedCalls>();

  /** In order; what has been counted is not counted again. */
  add(entry: ProvedEntry): void {
    if (entry.seq !== this.size) return;
    this.size++;
    const { kind, decision } = entry;
    if (isMemberChange(kind)) this.member_changes++;
    if (isReported(kind)) this.events++;
    if (entry.stream === "state") return;
    const body = entry.body();
    if (body !== null) this.#addCall(entry, JSON.parse(body) as Event);
    else if (decision && kind === "policy.decision") this.#decide(decision);
  }

  #decide(decision: string): void {
    this.#decisions[decision] = (this.#decisions[decision] ?? 0) + 1;
  }

  #addCall({ ts, agent, decision }: ProvedEntry, event: Event): void {
    const { echo, rules, server, tool } = facetsOf(event);
    if (echo) return;
    if (decision) this.#decide(decision);
    for (const rule of new Set(rules)) this.rules.set(rule, (this.rules.get(rule) ?? 0) + 1);
    if (server && agent !== undefined) this.#observe(agent, server, tool ?? "", ts);
  }

  #observe(agent_id: string, server: string, tool: string, ts: number): void {
    const key = JSON.stringify([agent_id, server, tool]);
    const known = this.#calls.get(key);
    if (!known) this.#calls.set(key, { agent_id, server, tool, calls: 1, first_seen_ms: ts, last_seen_ms: ts });
    else {
      known.calls++;
      known.last_seen_ms = ts;
    }
  }

  get decisions(): Counts["decisions"] {
    return decisionsOf(this.#decisions);
  }

  get servers(): number {
    return new Set(this.calls.map(call => call.server)).size;
  }

  get calls(): readonly ObservedCalls[] {
    return [...this.#calls.values()];
  }
}
