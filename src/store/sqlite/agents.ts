import type { Agent, Status } from "../../domain/fleet/agent.ts";
import type { AgentCounts, AgentQuery, Agents, CountQuery } from "../agents.ts";
import type { Projection } from "../projection.ts";
import type { Database, Row } from "./database.ts";
import { Traits } from "./traits.ts";

const SELECT = "SELECT agent.*, last_seen_ms FROM agent CROSS JOIN liveness ON liveness.agent = id";
/** The other way round: for what only liveness tells. */
const SELECT_HEARD = "SELECT agent.*, last_seen_ms FROM liveness CROSS JOIN agent ON id = liveness.agent";
const STATUS_SQL: Record<Status, string> = {
  active: "last_seen_ms >= ?",
  stale: "last_seen_ms < ?",
  never_seen: "last_seen_ms IS NULL AND ? IS NOT NULL",
};
const MENTIONS = "instr(lower(name || ' ' || ifnull(hostname, '') || ' ' || ifnull(owner, '')), lower(?)) > 0";
const COLUMNS = ["hostname", "platform", "version", "hooks", "policy_version", "mcp_servers"] as const;

export function createAgents(db: Database): Agents & { projection: Projection } {
  const traits = new Traits(db);
  return {
    get(id) {
      // One statement that joins costs ten times these two.
      const row = db.query("SELECT * FROM agent WHERE id = ?").get(id);
      return row && agentOf({ ...row, ...db.query("SELECT last_seen_ms FROM liveness WHERE agent = ?").get(id)! });
    },
    name: id => db.query<{ name: string }>("SELECT name FROM agent WHERE id = ?").get(id)?.name,
    page: query => page(db, query),
    touch: (id, now_ms, queue_depth) =>
      void db
        .query("UPDATE liveness SET last_seen_ms = ?, queue_depth = ? WHERE agent = ?")
        .run(now_ms, queue_depth, id),
    counts: query => ({
      ...counts(db, query),
      policy_lag: sum(traits.of("policy").filter(({ value }) => Number(value) < query.policy_version)),
      hooked: sum(traits.of("hooked")),
    }),
    kinds: () => ({ by_platform: record(traits.of("platform")), by_client: record(traits.of("client")) }),
    declaredServers: () => traits.of("server").map(({ value }) => value),
    declared: () => ({
      names: traits.of("server").length,
      keys: traits.of("server_key").length,
      suspicious: traits.of("suspicious").length,
    }),
    projection: projection(db, traits),
  };
}

function page(db: Database, { stale_before_ms, status, policy_below, q, after, limit }: AgentQuery): Agent[] {
  const [select, id] = status ? [SELECT_HEARD, "liveness.agent"] : [SELECT, "id"];
  const where = [`${id} > ?`];
  const values: (string | number)[] = [after ?? ""];
  if (status) where.push(STATUS_SQL[status]), values.push(stale_before_ms);
  if (policy_below !== undefined)
    where.push("id IN (SELECT id FROM agent WHERE ifnull(policy_version, 0) < ?)"), values.push(policy_below);
  if (q) where.push(`id IN (SELECT id FROM agent WHERE ${MENTIONS})`), values.push(q);
  return db
    .query(`${select} WHERE ${where.join(" AND ")} ORDER BY ${id} LIMIT ?`)
    .all(...values, limit)
    .map(agentOf);
}

/** Most have been heard of lately: they are counted without being looked at twice. */
function counts(db: Database, { stale_before_ms, silent_before_ms }: CountQuery) {
  const { total } = db.query<{ total: number }>("SELECT count(*) AS total FROM liveness").get()!;
  const heard = db.query<Omit<Heard, "total" | "active"> & Row>(HEARD).get(stale_before_ms, silent_before_ms)!;
  return { total, active: total - heard.stale - heard.never_seen, ...heard };
}

type Heard = Omit<AgentCounts, "policy_lag" | "hooked">;
const HEARD = `SELECT count(*) FILTER (WHERE last_seen_ms < ?1) stale, count(*) FILTER (WHERE last_seen_ms IS NULL) never_seen,
  count(*) FILTER (WHERE ifnull(last_seen_ms, created_ms) < ?1) unheard,
  count(*) FILTER (WHERE ifnull(last_seen_ms, created_ms) < ?2) silent
  FROM liveness WHERE last_seen_ms < max(?1, ?2) OR last_seen_ms IS NULL`;

function projection(db: Database, traits: Traits): Projection {
  return {
    reset() {
      db.exec("DELETE FROM agent");
      traits.reset();
    },
    apply({ kind, ts, body }) {
      if (!kind.startsWith("agent.")) return;
      const { attributes: said } = JSON.parse(body) as { attributes: Said };
      if (kind === "agent.registered") register(said, ts);
      else if (kind === "agent.changed") change(said);
      else if (kind === "agent.removed") remove(said.agent_id);
    },
  };

  function register(said: Said, ts: number): void {
    const insert =
      "INSERT OR IGNORE INTO agent(id, name, owner, hooks, mcp_servers, created_ms) VALUES(?, ?, ?, '[]', '[]', ?)";
    const owner = (said["owner"] as string | null) ?? null;
    if (db.query(insert).run(said.agent_id, String(said["name"]), owner, ts).changes > 0) count(said.agent_id, 1);
    db.query("INSERT OR IGNORE INTO liveness VALUES (?, NULL, NULL, ?)").run(said.agent_id, ts);
    change(said);
  }

  function change(said: Said): void {
    const id = said.agent_id;
    if (typeof said["name"] === "string") db.query("UPDATE agent SET name = ? WHERE id = ?").run(said["name"], id);
    for (const column of COLUMNS) {
      const value = said[column];
      if (value === undefined) continue;
      const stored =
        typeof value === "object" && value !== null ? JSON.stringify(value) : (value as string | number | null);
      const before = db.query(`SELECT ${column} AS stored FROM agent WHERE id = ?`).get(id);
      if (!before) return;
      traits.count(column, before["stored"]!, -1);
      traits.count(column, stored, 1);
      db.query(`UPDATE agent SET ${column} = ? WHERE id = ?`).run(stored, id);
    }
  }

  function remove(id: string): void {
    count(id, -1);
    for (const sql of REMOVE) db.query(sql).run(id);
  }

  /** All that an agent has in common with others. */
  function count(id: string, by: 1 | -1): void {
    const row = db.query(`SELECT ${COLUMNS.join(", ")} FROM agent WHERE id = ?`).get(id);
    for (const column of row ? COLUMNS : []) traits.count(column, row![column]!, by);
  }
}

type Said = Record<string, unknown> & { agent_id: string };

const REMOVE = ["DELETE FROM agent WHERE id = ?", "DELETE FROM liveness WHERE agent = ?"];

function agentOf(row: Row): Agent {
  return {
    ...(row as unknown as Agent),
    hooks: JSON.parse(row["hooks"] as string),
    mcp_servers: JSON.parse(row["mcp_servers"] as string),
  };
}

type Shares = ReturnType<Traits["of"]>;
const sum = (shares: Shares): number => shares.reduce((n, share) => n + share.n, 0);
const record = (shares: Shares): Record<string, number> => Object.fromEntries(shares.map(({ value, n }) => [value, n]));
