import { createHash } from "node:crypto";
import type { DeclaredTimes, ToolBaseline } from "../../domain/posture/drift.ts";
import { isDetailed, type ToolDefinition, toolFingerprint } from "../../domain/posture/tool.ts";
import type { Posture } from "../posture.ts";
import type { Projection } from "../projection.ts";
import type { Database, Row } from "./database.ts";

interface DeclaredRow extends Omit<DeclaredTimes, "name"> {
  agent: string;
  /** Null where an agent says that it has no servers. */
  name: string | null;
}

const DECLARED = `SELECT declares.agent, name, first_seen_ms, last_seen_ms FROM declares LEFT JOIN declared_server USING (agent)
  WHERE declares.agent BETWEEN ? AND ? ORDER BY declares.agent, name`;

export function createPosture(db: Database): Posture & { projection: Projection } {
  return {
    declared(first, last) {
      const byAgent = new Map<string, DeclaredTimes[]>();
      for (const { agent, name, ...times } of db.query<DeclaredRow>(DECLARED).all(first, last)) {
        let servers = byAgent.get(agent);
        if (!servers) byAgent.set(agent, (servers = []));
        if (name !== null) servers.push({ name, ...times });
      }
      return byAgent;
    },
    changedTools: agent =>
      (agent === undefined
        ? db.query("SELECT * FROM declared_tool WHERE changes > 0").all()
        : db.query("SELECT * FROM declared_tool WHERE changes > 0 AND agent = ?").all(agent)
      ).map(baselineOf),
    projection: projection(db),
  };
}

interface Said {
  agent_id: string;
  mcp_servers?: { name: string; tools?: ToolDefinition[] }[];
}

function projection(db: Database): Projection {
  return {
    reset: () => db.exec("DELETE FROM declares; DELETE FROM declared_server; DELETE FROM declared_tool"),
    apply({ kind, ts, body }) {
      if (kind === "drift.accepted") return accept(db, JSON.parse(body).attributes as Accepted);
      if (!kind.startsWith("agent.")) return;
      const { attributes: said } = JSON.parse(body) as { attributes: Said };
      if (kind === "agent.removed") forget(db, said.agent_id);
      else if (said.mcp_servers) declare(db, said.agent_id, said.mcp_servers, ts);
    },
  };
}

function forget(db: Database, agent: string): void {
  for (const table of ["declares", "declared_server", "declared_tool"])
    db.query(`DELETE FROM ${table} WHERE agent = ?`).run(agent);
}

function declare(db: Database, agent: string, servers: NonNullable<Said["mcp_servers"]>, ts: number): void {
  db.query("INSERT OR IGNORE INTO declares VALUES (?)").run(agent);
  const names = new Set(servers.map(server => server.name));
  for (const { name } of db.query<{ name: string }>("SELECT name FROM declared_server WHERE agent = ?").all(agent))
    if (!names.has(name)) db.query("DELETE FROM declared_server WHERE agent = ? AND name = ?").run(agent, name);
  const upsert =
    "INSERT INTO declared_server VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET last_seen_ms = excluded.last_seen_ms";
  for (const server of servers) {
    db.query(upsert).run(agent, server.name, ts, ts);
    for (const tool of server.tools ?? []) if (isDetailed(tool)) define(db, agent, server.name, tool, ts);
  }
}

/** A tool's first definition is the one to compare with. It outlives its server, so that removing one hides no change. */
function define(db: Database, agent: string, server: string, tool: ToolDefinition, ts: number): void {
  const fingerprint = toolFingerprint(tool, text => createHash("sha256").update(text).digest("hex"));
  const where = "WHERE agent = ? AND server = ? AND tool = ?";
  const known = db
    .query<{ fingerprint: string }>(`SELECT fingerprint FROM declared_tool ${where}`)
    .get(agent, server, tool.name);
  if (!known)
    db.query("INSERT INTO declared_tool VALUES (?, ?, ?, ?, ?, 0, ?, ?)").run(
      agent,
      server,
      tool.name,
      JSON.stringify(tool),
      fingerprint,
      ts,
      ts,
    );
  else if (known.fingerprint !== fingerprint)
    db.query(
      `UPDATE declared_tool SET fingerprint = ?, changes = changes + 1,
        changed_first_ms = iif(changes = 0, ?, changed_first_ms), changed_last_ms = ? ${where}`,
    ).run(fingerprint, ts, ts, agent, server, tool.name);
}

interface Accepted {
  agent_ids: string[];
  server: string;
  definition: ToolDefinition;
}

/** From now on it is the definition to compare with. */
function accept(db: Database, { agent_ids, server, definition }: Accepted): void {
  const sql = "UPDATE declared_tool SET definition = ?, changes = 0 WHERE agent = ? AND server = ? AND tool = ?";
  for (const agent of agent_ids) db.query(sql).run(JSON.stringify(definition), agent, server, definition.name);
}

const baselineOf = (row: Row): ToolBaseline => ({
  agent_id: row["agent"] as string,
  server: row["server"] as string,
  definition: JSON.parse(row["definition"] as string),
  fingerprint: row["fingerprint"] as string,
  changes: row["changes"] as number,
  changed_first_ms: row["changed_first_ms"] as number,
  changed_last_ms: row["changed_last_ms"] as number,
});
