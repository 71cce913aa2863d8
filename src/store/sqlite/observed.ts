import type { ObservedCalls } from "../../domain/posture/drift.ts";
import type { ObservedServer } from "../audit-stats.ts";
import type { Database } from "./database.ts";

/** Calls of one tool. */
export type ToolCalls = Omit<ObservedCalls, "agent_id">;
type Sums = Pick<ToolCalls, "calls" | "first_seen_ms" | "last_seen_ms">;

const TOOLS = "SELECT server, tool, calls, first_ms AS first_seen_ms, last_ms AS last_seen_ms";
const SUM = `ON CONFLICT DO UPDATE SET calls = calls + excluded.calls,
  first_ms = min(first_ms, excluded.first_ms), last_ms = max(last_ms, excluded.last_ms)`;

/** MCP servers and tools that agents were seen to call, by agent and summed up, as far as the file's counters go. */
export class Observed {
  #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  reset(): void {
    for (const table of ["observed", "observed_tool", "observed_server"]) this.#db.exec(`DELETE FROM ${table}`);
  }

  /** Calls by one agent. True when it had not called one of the tools before. Inside a transaction. */
  add(agent: number, calls: Iterable<ToolCalls>): boolean {
    const own = `INSERT INTO observed VALUES (?, ?, ?, ?, ?, ?) ${SUM} RETURNING calls`;
    const all = `INSERT INTO observed_tool VALUES (?, ?, ?, ?, ?) ${SUM}`;
    let isNew = false;
    for (const { server, tool, calls: n, first_seen_ms, last_seen_ms } of calls) {
      const values = [server, tool, n, first_seen_ms, last_seen_ms] as const;
      this.#db.query(all).run(...values);
      if (this.#db.query<{ calls: number }>(own).get(agent, ...values)!.calls > n) continue;
      isNew = true;
      if (this.#tools(agent, server) === 1) this.#used(server);
    }
    return isNew;
  }

  /** Is one of the tools new? */
  isNew(agent: number, calls: readonly ToolCalls[]): boolean {
    const known = this.#db.query("SELECT 1 FROM observed WHERE agent = ? AND server = ? AND tool = ?");
    return calls.some(({ server, tool }) => !known.get(agent, server, tool));
  }

  #used(server: string): void {
    const sql = "INSERT INTO observed_server VALUES (?, 1) ON CONFLICT DO UPDATE SET agents = agents + 1";
    this.#db.query(sql).run(server);
  }

  /** How many tools of a server an agent has called. */
  #tools(agent: number, server: string): number {
    const sql = "SELECT count(*) AS n FROM observed WHERE agent = ? AND server = ?";
    return this.#db.query<{ n: number }>(sql).get(agent, server)!.n;
  }

  of(agent: number): ToolCalls[] {
    return this.#db.query<ToolCalls & Record<string, never>>(`${TOOLS} FROM observed WHERE agent = ?`).all(agent);
  }

  /** All servers by name, together with calls by agent that the file does not know yet. */
  servers(recent: Iterable<readonly [agent: number, calls: Iterable<ToolCalls>]>): ObservedServer[] {
    const servers = new Map<string, ObservedServer>();
    for (const seen of this.#db.query<ToolCalls & Record<string, never>>(`${TOOLS} FROM observed_tool`).all())
      addTool(servers, seen);
    for (const { server, agents } of this.#db
      .query<{ server: string; agents: number }>("SELECT server, agents FROM observed_server")
      .all())
      servers.get(server)!.agents = agents;
    for (const [agent, calls] of recent) {
      const names = new Set<string>();
      for (const seen of calls) names.add(addTool(servers, seen).name);
      for (const name of names) if (this.#tools(agent, name) === 0) servers.get(name)!.agents++;
    }
    for (const { tools } of servers.values()) tools.sort(byName);
    return [...servers.values()].sort(byName);
  }
}

function addTool(servers: Map<string, ObservedServer>, { server, tool, ...sums }: ToolCalls): ObservedServer {
  let known = servers.get(server);
  if (!known) servers.set(server, (known = { name: server, agents: 0, ...sums, tools: [] }));
  else mergeSums(known, sums);
  const used = known.tools.find(one => one.name === tool);
  if (used) mergeSums(used, sums);
  else if (tool !== "") known.tools.push({ name: tool, ...sums });
  return known;
}

export function mergeSums(sums: Sums, { calls, first_seen_ms, last_seen_ms }: Sums): void {
  sums.calls += calls;
  sums.first_seen_ms = Math.min(sums.first_seen_ms, first_seen_ms);
  sums.last_seen_ms = Math.max(sums.last_seen_ms, last_seen_ms);
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
