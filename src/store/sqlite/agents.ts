import type { Agent, Status } from "../../domain/fleet/agent.ts";
import type { AgentCounts, AgentKinds, AgentQuery, Agents } from "../agents.ts";
import type { Projection } from "../projection.ts";
import type { Database, Row } from "./database.ts";

const SELECT = "SELECT agent.*, last_seen_ms FROM agent LEFT JOIN liveness ON liveness.agent = agent.id";
const STATUS_SQL: Record<Status, string> = {
  active: "last_seen_ms >= ?",
  stale: "last_seen_ms < ?",
  never_seen: "last_seen_ms IS NULL AND ? IS NOT NULL",
};
const COLUMNS = ["hostname", "platform", "version", "hooks", "policy_version", "mcp_servers"] as const;

export function createAgents(db: Database): Agents & { projection: Projection } {
  return {
    get: id => one(db.query(`${SELECT} WHERE id = ?`).get(id)),
    name: id => db.query<{ name: string }>("SELECT name FROM agent WHERE id = ?").get(id)?.name,
    page: query => page(db, query),
    touch(id, now_ms, queue_depth) {
      db.query(
        "INSERT INTO liveness SELECT id, ?, ? FROM agent WHERE id = ? ON CONFLICT(agent) DO UPDATE SET last_seen_ms = excluded.last_seen_ms, queue_depth = excluded.queue_depth",
      ).run(now_ms, queue_depth, id);
    },
    counts: (stale_before_ms, policy_version) => db.query<AgentCounts>(COUNTS).get(stale_before_ms, policy_version)!,
    kinds: () => kinds(db),
    projection: projection(db),
  };
}

function page(db: Database, { stale_before_ms, status, policy_below, q, after, limit }: AgentQuery): Agent[] {
  const where = ["id > ?"];
  const values: (string | number)[] = [after ?? ""];
  if (status) where.push(STATUS_SQL[status]), values.push(stale_before_ms);
  if (policy_below !== undefined) where.push("ifnull(policy_version, 0) < ?"), values.push(policy_below);
  if (q)
    where.push("instr(lower(name || ' ' || ifnull(hostname, '') || ' ' || ifnull(owner, '')), lower(?)) > 0"),
      values.push(q);
  return db
    .query(`${SELECT} WHERE ${where.join(" AND ")} ORDER BY id LIMIT ?`)
    .all(...values, limit)
    .map(agentOf);
}

const COUNTS = `SELECT count(*) total, count(*) FILTER (WHERE last_seen_ms >= ?1) active,
  count(*) FILTER (WHERE last_seen_ms < ?1) stale, count(*) FILTER (WHERE last_seen_ms IS NULL) never_seen,
  count(*) FILTER (WHERE ifnull(policy_version, 0) < ?2) policy_lag
  FROM agent LEFT JOIN liveness ON liveness.agent = agent.id`;

function kinds(db: Database): AgentKinds {
  const by_platform = db
    .query("SELECT ifnull(platform, 'unknown') k, count(*) n FROM agent GROUP BY 1 ORDER BY 2 DESC")
    .all();
  const by_client = db
    .query(
      "SELECT json_extract(h.value, '$.client') k, count(*) n FROM agent, json_each(agent.hooks) h GROUP BY 1 ORDER BY 2 DESC",
    )
    .all();
  return { by_platform: tally(by_platform), by_client: tally(by_client) };
}

function projection(db: Database): Projection {
  return {
    reset: () => db.exec("DELETE FROM agent"),
    apply({ kind, ts, body }) {
      if (!kind.startsWith("agent.")) return;
      const { attributes: said } = JSON.parse(body) as { attributes: Record<string, unknown> & { agent_id: string } };
      if (kind === "agent.registered") register(db, said, ts);
      else if (kind === "agent.changed") change(db, said.agent_id, said);
      else if (kind === "agent.removed") for (const sql of REMOVE) db.query(sql).run(said.agent_id);
    },
  };
}

const REMOVE = ["DELETE FROM agent WHERE id = ?", "DELETE FROM liveness WHERE agent = ?"];

function register(db: Database, said: Record<string, unknown> & { agent_id: string }, ts: number): void {
  db.query(
    "INSERT OR IGNORE INTO agent(id, name, owner, hooks, mcp_servers, created_ms) VALUES(?, ?, ?, '[]', '[]', ?)",
  ).run(said.agent_id, String(said["name"]), (said["owner"] as string | null) ?? null, ts);
  change(db, said.agent_id, said);
}

function change(db: Database, id: string, said: Record<string, unknown>): void {
  if (typeof said["name"] === "string") db.query("UPDATE agent SET name = ? WHERE id = ?").run(said["name"], id);
  for (const column of COLUMNS) {
    const value = said[column];
    if (value === undefined) continue;
    const stored =
      typeof value === "object" && value !== null ? JSON.stringify(value) : (value as string | number | null);
    db.query(`UPDATE agent SET ${column} = ? WHERE id = ?`).run(stored, id);
  }
}

const one = (row: Row | undefined): Agent | undefined => row && agentOf(row);

function agentOf(row: Row): Agent {
  return {
    ...(row as unknown as Agent),
    hooks: JSON.parse(row["hooks"] as string),
    mcp_servers: JSON.parse(row["mcp_servers"] as string),
  };
}

const tally = (rows: Row[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ k, n }) => [String(k), n as number]));
