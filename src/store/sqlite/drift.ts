import type { DeclaredServer } from "../../domain/fleet/agent.ts";
import { declaration, type Drift, drift, type ObservedCalls, unhookedCall } from "../../domain/posture/drift.ts";
import type { Severity } from "../../domain/policy/verdict.ts";
import type { DriftQuery, Drifts, Told } from "../drift.ts";
import type { Posture } from "../posture.ts";
import type { Projection } from "../projection.ts";
import type { AuditCounters, CallsOfAgent } from "./audit-stats.ts";
import type { Database, Row } from "./database.ts";
import type { ToolCalls } from "./observed.ts";

/** What the counters know of calls of MCP tools. */
export type Callers = Pick<AuditCounters, "mcpCalls" | "storedCalls" | "recentCalls">;

/** By the number in the table. */
const severities: Severity[] = ["low", "medium", "high", "critical"];
const COLUMNS = "agent, kind, server, tool, severity, detail, first_seen_ms, last_seen_ms, count";
const LASTING = "kind = 'unused_server'";
const PASSING = "kind <> 'unused_server' AND last_seen_ms >= ?3";
const OPEN = `(${LASTING} OR ${PASSING})`;
/** Whoever (?1) has called something since is compared anew; that (?2), of those enrolled, is told instead of what is stored. */
const RECENT = "(SELECT value FROM json_each(?1))";
const ANEW = `WITH anew(${COLUMNS}) AS (
  SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8
  FROM json_each(?2) WHERE value->>0 IN (SELECT id FROM agent))`;
/** Three ways in the same order, each by its index. */
const page = (filter: string) => `${ANEW}
  SELECT ${COLUMNS} FROM drift WHERE ${LASTING} AND agent NOT IN ${RECENT} ${filter}
  UNION ALL SELECT ${COLUMNS} FROM drift WHERE ${PASSING} AND agent NOT IN ${RECENT} ${filter}
  UNION ALL SELECT ${COLUMNS} FROM anew WHERE ${OPEN} ${filter}
  ORDER BY severity DESC, last_seen_ms DESC, kind, agent, server, tool LIMIT ?4 OFFSET ?5`;
const COUNTS = `${ANEW} SELECT severity, sum(n) AS n FROM (
  SELECT severity, count(*) AS n FROM drift WHERE ${LASTING} GROUP BY severity
  UNION ALL SELECT severity, count(*) FROM drift WHERE ${PASSING} GROUP BY severity
  UNION ALL SELECT severity, -count(*) FROM drift WHERE agent IN ${RECENT} AND ${OPEN} GROUP BY severity
  UNION ALL SELECT severity, count(*) FROM anew WHERE ${OPEN} GROUP BY severity) GROUP BY severity`;

/**
 * Differences, agent by agent: what is stored of one is what `drift` says of its declaration and the calls in the table, at any
 * moment. Comparing otherwise takes a migration, after which every file is rebuilt.
 */
export class SqliteDrifts implements Drifts {
  readonly projection: Projection;
  #db: Database;
  #posture: Posture;
  #callers: Callers;
  /** What recent calls come to, until somebody declares something else. */
  #anew = new WeakMap<CallsOfAgent, Drift[]>();

  constructor(db: Database, posture: Posture, callers: Callers) {
    this.#db = db;
    this.#posture = posture;
    this.#callers = callers;
    this.projection = {
      reset: () => {
        db.exec("DELETE FROM drift");
        this.#anew = new WeakMap();
      },
      apply: ({ kind, body }) => {
        if (concerns.has(kind)) for (const agent of agentsOf(body)) this.#refresh(agent);
      },
    };
  }

  /** Calls have come into the table. */
  called({ agent_id, calls, isNew }: CallsOfAgent): void {
    if (isNew) return this.#refresh(agent_id);
    const sql = "UPDATE drift SET count = ?, last_seen_ms = ? WHERE agent = ? AND kind = ? AND server = ? AND tool = ?";
    for (const { kind, server, tool = "", count, last_seen_ms } of seenAgain(this.#stored(agent_id), calls).changed)
      this.#db.query(sql).run(count, last_seen_ms, agent_id, kind, server, tool);
  }

  page({ kind, severity, agent_id, after, limit, ...told }: DriftQuery): Drift[] {
    const values: (string | number)[] = [...this.#told(told), limit, after?.told ?? 0];
    const bound = (value: string | number) => `?${values.push(value)}`;
    let filter = "";
    if (kind !== undefined) filter += ` AND kind = ${bound(kind)}`;
    if (severity !== undefined) filter += ` AND severity = ${bound(severities.indexOf(severity))}`;
    if (agent_id !== undefined) filter += ` AND agent = ${bound(agent_id)}`;
    if (after)
      filter += ` AND (severity, last_seen_ms) <= (${bound(severities.indexOf(after.severity))}, ${bound(after.last_seen_ms)})`;
    return this.#db
      .query<DriftRow & Row>(page(filter))
      .all(...values)
      .map(driftOf);
  }

  counts(told: Told): Record<Severity, number> {
    const counts = { low: 0, medium: 0, high: 0, critical: 0 };
    for (const { severity, n } of this.#db.query<{ severity: number; n: number }>(COUNTS).all(...this.#told(told)))
      counts[severities[severity]!] = n;
    return counts;
  }

  #told({ since_ms, unhooked }: Told): [string, string, number] {
    const recent: string[] = [];
    const anew = unhooked.map(unhookedCall);
    for (const of of this.#callers.recentCalls()) {
      let found = this.#anew.get(of);
      if (!found) this.#anew.set(of, (found = this.#compareRecent(of)));
      if (found === quiet) continue;
      recent.push(of.agent_id);
      anew.push(...found);
    }
    return [JSON.stringify(recent), JSON.stringify(anew.map(rowOf)), since_ms];
  }

  #compareRecent({ agent_id, calls, isNew }: CallsOfAgent): Drift[] {
    if (isNew) return this.#compare(agent_id, this.#callers.mcpCalls(agent_id));
    const { all, changed } = seenAgain(this.#stored(agent_id), calls);
    return changed.length > 0 ? all : quiet;
  }

  #stored(agent: string): Drift[] {
    return this.#db.query<DriftRow & Row>(`SELECT ${COLUMNS} FROM drift WHERE agent = ?`).all(agent).map(driftOf);
  }

  #refresh(agent: string): void {
    this.#anew = new WeakMap();
    this.#db.query("DELETE FROM drift WHERE agent = ?").run(agent);
    const insert = this.#db.query("INSERT INTO drift VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const each of this.#compare(agent, this.#callers.storedCalls(agent))) insert.run(...rowOf(each));
  }

  #compare(agent: string, observed: readonly ObservedCalls[]): Drift[] {
    const sql = "SELECT mcp_servers FROM agent WHERE id = ?";
    const row = this.#db.query<{ mcp_servers: string }>(sql).get(agent);
    if (!row) return [];
    const times = this.#posture.declared(agent, agent).get(agent);
    const declared = times ? [declaration(agent, JSON.parse(row.mcp_servers) as DeclaredServer[], times)] : [];
    return drift({ declared, observed, baselines: this.#posture.changedTools(agent), unhooked: [] });
  }
}

/** Of an agent whose calls change nothing that is stored. */
const quiet: Drift[] = [];

/** What calls that are not the first of their tool change: how often and when something undeclared was called. */
function seenAgain(all: Drift[], calls: readonly ToolCalls[]): { all: Drift[]; changed: Drift[] } {
  const changed = new Set<Drift>();
  for (const one of all)
    for (const { server, tool, calls: n, last_seen_ms } of calls) {
      if (one.server !== server || !(one.kind === "undeclared_server" || isToolOf(one, tool))) continue;
      one.count += n;
      one.last_seen_ms = Math.max(one.last_seen_ms, last_seen_ms);
      changed.add(one);
    }
  return { all, changed: [...changed] };
}

const isToolOf = (one: Drift, tool: string) => one.kind === "undeclared_tool" && (one.tool ?? "") === tool;

const concerns = new Set(["agent.registered", "agent.changed", "agent.removed", "drift.accepted"]);

function agentsOf(body: string): string[] {
  const { attributes } = JSON.parse(body) as { attributes: { agent_id?: string; agent_ids?: string[] } };
  return attributes.agent_ids ?? [attributes.agent_id!];
}

interface DriftRow extends Omit<Drift, "agent_id" | "severity" | "tool"> {
  agent: string;
  tool: string;
  severity: number;
}

const rowOf = (d: Drift) =>
  [
    d.agent_id,
    d.kind,
    d.server,
    d.tool ?? "",
    severities.indexOf(d.severity),
    d.detail,
    d.first_seen_ms,
    d.last_seen_ms,
    d.count,
  ] as const;

const driftOf = ({ agent, kind, server, tool, severity, ...rest }: DriftRow): Drift => ({
  kind,
  severity: severities[severity]!,
  agent_id: agent,
  server,
  ...(tool !== "" && { tool }),
  ...rest,
});
