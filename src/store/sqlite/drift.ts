import type { DeclaredServer } from "../../domain/fleet/agent.ts";
import {
  declaration,
  type Drift,
  drift,
  type DriftKind,
  type ObservedCalls,
  unhookedCall,
} from "../../domain/posture/drift.ts";
import type { Severity } from "../../domain/policy/verdict.ts";
import type { DriftQuery, Drifts, Told } from "../drift.ts";
import type { Posture } from "../posture.ts";
import type { Projection } from "../projection.ts";
import type { AuditCounters } from "./audit-stats.ts";
import type { Database } from "./database.ts";
import type { ToolCalls } from "./observed.ts";

/** What the counters know of calls of MCP tools. */
export type Callers = Pick<AuditCounters, "mcpCalls" | "storedCalls" | "recentCallers">;

/** By the number in the table. */
const severities: Severity[] = ["low", "medium", "high", "critical"];
const ORDER = "severity DESC, last_seen_ms DESC, kind, agent, server, tool";
/** Whoever has called something since is compared anew, and told instead of what is stored of them: ?1 names them, ?2 is that. */
const TOLD = `SELECT agent, kind, server, tool, severity, detail, first_seen_ms, last_seen_ms, count FROM drift
    WHERE agent NOT IN (SELECT value FROM json_each(?1))
  UNION ALL SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8
    FROM json_each(?2) WHERE value->>0 IN (SELECT id FROM agent)`;
const OPEN = "(kind = 'unused_server' OR last_seen_ms >= ?3)";

/**
 * Differences, agent by agent: what is stored of one is what `drift` says of its declaration and the calls in the table, at any
 * moment. Comparing otherwise takes a migration, after which every file is rebuilt.
 */
export class SqliteDrifts implements Drifts {
  readonly projection: Projection;
  #db: Database;
  #posture: Posture;
  #callers: Callers;

  constructor(db: Database, posture: Posture, callers: Callers) {
    this.#db = db;
    this.#posture = posture;
    this.#callers = callers;
    this.projection = {
      reset: () => db.exec("DELETE FROM drift"),
      apply: ({ kind, body }) => {
        if (concerns.has(kind)) for (const agent of agentsOf(body)) this.#refresh(agent);
      },
    };
  }

  /** Calls have come into the table. `isNew`: of a tool that the agent had not called before. */
  called(agent_id: string, calls: Iterable<ToolCalls>, isNew: boolean): void {
    if (isNew) return this.#refresh(agent_id);
    const sql = `UPDATE drift SET count = count + ?, last_seen_ms = max(last_seen_ms, ?)
      WHERE agent = ? AND kind = ? AND server = ? AND tool = ?`;
    for (const { server, tool, calls: n, last_seen_ms } of calls) {
      this.#db.query(sql).run(n, last_seen_ms, agent_id, "undeclared_server" satisfies DriftKind, server, "");
      this.#db.query(sql).run(n, last_seen_ms, agent_id, "undeclared_tool" satisfies DriftKind, server, tool);
    }
  }

  page({ kind, severity, agent_id, after, limit, ...told }: DriftQuery): Drift[] {
    const where = [OPEN];
    const values: (string | number)[] = this.#told(told);
    const and = (sql: string, ...more: (string | number)[]) => void (where.push(sql), values.push(...more));
    if (kind !== undefined) and("kind = ?", kind);
    if (severity !== undefined) and("severity = ?", severities.indexOf(severity));
    if (agent_id !== undefined) and("agent = ?", agent_id);
    if (after) and("(severity, last_seen_ms) <= (?, ?)", severities.indexOf(after.severity), after.last_seen_ms);
    const sql = `SELECT * FROM (${TOLD}) WHERE ${where.join(" AND ")} ORDER BY ${ORDER} LIMIT ? OFFSET ?`;
    return this.#db
      .query<DriftRow & Record<string, never>>(sql)
      .all(...values, limit, after?.told ?? 0)
      .map(driftOf);
  }

  counts(told: Told): Record<Severity, number> {
    const sql = `SELECT severity, count(*) AS n FROM (${TOLD}) WHERE ${OPEN} GROUP BY severity`;
    const counts = { low: 0, medium: 0, high: 0, critical: 0 };
    for (const { severity, n } of this.#db.query<{ severity: number; n: number }>(sql).all(...this.#told(told)))
      counts[severities[severity]!] = n;
    return counts;
  }

  #told({ since_ms, unhooked }: Told): [string, string, number] {
    const recent = this.#callers.recentCallers();
    const compared = recent.flatMap(agent => this.#compare(agent, this.#callers.mcpCalls(agent)));
    const rows = [...compared, ...unhooked.map(unhookedCall)].map(rowOf);
    return [JSON.stringify(recent), JSON.stringify(rows), since_ms];
  }

  #refresh(agent: string): void {
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
