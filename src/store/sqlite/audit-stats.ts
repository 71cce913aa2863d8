import { decisions } from "../../domain/policy/verdict.ts";
import type { ObservedCalls } from "../../domain/posture/drift.ts";
import type { AuditStats, ObservedServer, Stats } from "../audit-stats.ts";
import type { Columns } from "./columns.ts";
import { parseFacets } from "./facets.ts";
import type { LogTables } from "./log-tables.ts";
import { seqAt } from "./page.ts";
import { type HourTally, msPerHour, tally } from "./tally.ts";

/** Counters per hour, kept from the columns of each bundle; parts of an hour are counted from the columns when asked for. */
export class AuditCounters implements AuditStats {
  #tables: LogTables;
  #size: () => number;

  /** Facets that name an MCP server. */
  #servers = new Map<number, boolean>();

  constructor(tables: LogTables, size: () => number) {
    this.#tables = tables;
    this.#size = size;
  }

  #isCall = (facet: number): boolean => {
    let known = this.#servers.get(facet);
    if (known === undefined) {
      if (this.#servers.size > 20_000) this.#servers.clear();
      known = parseFacets(this.#tables.facets.name(facet), false).server !== undefined;
      this.#servers.set(facet, known);
    }
    return known;
  };

  /** After a rollback. */
  forget(): void {
    this.#servers.clear();
  }

  reset(): void {
    for (const table of ["count_hour", "count_facet", "observed", "agent_last"])
      this.#tables.db.exec(`DELETE FROM ${table}`);
  }

  /** Inside a transaction, once for every bundle. */
  add(columns: Columns): void {
    for (const counts of tally(columns, this.#isCall)) this.#store(counts);
    const last = new Map<number, number>();
    const { n, agent, ts } = columns;
    for (let i = 0; i < n; i++)
      if (agent[i] !== 0 && (i + 1 === n || agent[i] !== agent[i + 1])) last.set(agent[i]!, ts[i]!);
    const sql = "INSERT INTO agent_last VALUES (?, ?) ON CONFLICT (agent) DO UPDATE SET ts = excluded.ts";
    for (const [agent, ts] of last) this.#tables.db.query(sql).run(agent, ts);
  }

  #store({ hour, byAgent, byFacet, calls }: HourTally): void {
    const { db } = this.#tables;
    const count = "INSERT INTO count_hour VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n";
    for (const [agent, counts] of byAgent)
      for (const [key, n] of counts) db.query(count).run(hour, Math.floor(key / 8), agent, key % 8, n);
    const facets = "INSERT INTO count_facet VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n";
    for (const [facet, n] of byFacet) db.query(facets).run(hour, facet, n);
    const observed = `INSERT INTO observed VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, last_ms = excluded.last_ms`;
    for (const [facet, agents] of calls)
      for (const [agent, { n, first_ms, last_ms }] of agents)
        db.query(observed).run(facet, agent, n, first_ms, last_ms);
  }

  stats(query: Parameters<AuditStats["stats"]>[0]): Stats {
    const sums = new Sums(this.#tables, query.bucket ?? "hour");
    const from = query.from_ms ?? 0;
    const to = query.to_ms ?? (Math.floor(Number.MAX_SAFE_INTEGER / msPerHour) - 1) * msPerHour;
    const [firstHour, lastHour] = [Math.ceil(from / msPerHour), Math.floor(to / msPerHour)];
    if (firstHour >= lastHour) this.#addPart(sums, from, to);
    else {
      this.#addPart(sums, from, firstHour * msPerHour);
      this.#addHours(sums, firstHour, lastHour);
      this.#addPart(sums, lastHour * msPerHour, to);
    }
    return sums.stats();
  }

  #addHours(sums: Sums, from: number, to: number): void {
    const { db } = this.#tables;
    const counts = "SELECT * FROM count_hour WHERE hour >= ? AND hour < ?";
    for (const row of db.query<CountRow>(counts).all(from, to)) sums.count(row);
    const facets = "SELECT facet, sum(n) AS n FROM count_facet WHERE hour >= ? AND hour < ? GROUP BY facet";
    for (const { facet, n } of db.query<{ facet: number; n: number }>(facets).all(from, to)) sums.facet(facet, n);
  }

  #addPart(sums: Sums, from_ms: number, to_ms: number): void {
    if (from_ms >= to_ms) return;
    const [from, to] = [from_ms, to_ms].map(ts => seqAt(this.#tables, this.#size(), ts)) as [number, number];
    if (from >= to) return;
    for (const { first, n, columns } of this.#tables.bundles.range(from, to))
      for (const counts of tally(columns, this.#isCall, Math.max(0, from - first), Math.min(n, to - first)))
        sums.tally(counts);
  }

  mcpServers(): ObservedServer[] {
    const servers = new Map<string, ObservedServer & { seenBy: Set<number>; byTool: Map<string, ToolSums> }>();
    for (const row of this.#observed()) {
      const { server, tool } = parseFacets(row.name, false);
      if (!server) continue;
      let sums = servers.get(server);
      if (!sums) {
        sums = { name: server, agents: 0, tools: [], ...noCalls(row), seenBy: new Set(), byTool: new Map() };
        servers.set(server, sums);
      }
      sums.seenBy.add(row.agent);
      addCalls(sums, row);
      if (!tool) continue;
      if (!sums.byTool.has(tool)) sums.byTool.set(tool, { name: tool, ...noCalls(row) });
      addCalls(sums.byTool.get(tool)!, row);
    }
    return [...servers.values()]
      .map(({ seenBy, byTool, ...server }) => ({
        ...server,
        agents: seenBy.size,
        tools: [...byTool.values()].sort(byName),
      }))
      .sort(byName);
  }

  mcpCalls(): ObservedCalls[] {
    const calls = new Map<string, ObservedCalls>();
    for (const row of this.#observed()) {
      const { server, tool = "" } = parseFacets(row.name, false);
      const agent_id = this.#tables.agents.name(row.agent);
      if (!server || agent_id === undefined) continue;
      const key = JSON.stringify([agent_id, server, tool]);
      if (!calls.has(key)) calls.set(key, { agent_id, server, tool, ...noCalls(row) });
      addCalls(calls.get(key)!, row);
    }
    return [...calls.values()];
  }

  #observed(): ObservedRow[] {
    const sql = "SELECT name, agent, calls, first_ms, last_ms FROM observed JOIN name ON kind = 'facet' AND id = facet";
    return this.#tables.db.query<ObservedRow>(sql).all();
  }

  lastSeen(agent: string): number | undefined {
    const id = this.#tables.agents.find(agent);
    return this.#tables.db.query<{ ts: number }>("SELECT ts FROM agent_last WHERE agent = ?").get(id)?.ts;
  }
}

interface CountRow {
  hour: number;
  kind: number;
  agent: number;
  decision: number;
  n: number;
}

interface ObservedRow {
  name: string;
  agent: number;
  calls: number;
  first_ms: number;
  last_ms: number;
}

type ToolSums = ObservedServer["tools"][number];
type CallSums = Omit<ToolSums, "name">;

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
const noCalls = (row: ObservedRow): CallSums => ({ calls: 0, first_seen_ms: row.first_ms, last_seen_ms: row.last_ms });

function addCalls(sums: CallSums, row: ObservedRow): void {
  sums.calls += row.calls;
  sums.first_seen_ms = Math.min(sums.first_seen_ms, row.first_ms);
  sums.last_seen_ms = Math.max(sums.last_seen_ms, row.last_ms);
}

/** Adds counts up into the answer. */
class Sums {
  #tables: LogTables;
  #bucketHours: number;
  #total = 0;
  #kinds = new Map<number, number>();
  #agents = new Map<number, number>();
  #decisions = [0, 0, 0, 0, 0];
  #facets = new Map<number, number>();
  #series = new Map<number, number[]>();

  constructor(tables: LogTables, bucket: "hour" | "day") {
    this.#tables = tables;
    this.#bucketHours = bucket === "day" ? 24 : 1;
  }

  count({ hour, kind, agent, decision, n }: CountRow): void {
    this.#total += n;
    add(this.#kinds, kind, n);
    if (agent) add(this.#agents, agent, n);
    this.#decisions[decision]! += n;
    const t = Math.floor(hour / this.#bucketHours) * this.#bucketHours * msPerHour;
    if (!this.#series.has(t)) this.#series.set(t, [0, 0, 0, 0, 0]);
    this.#series.get(t)![decision]! += n;
  }

  facet(facet: number, n: number): void {
    add(this.#facets, facet, n);
  }

  tally({ hour, byAgent, byFacet }: HourTally): void {
    for (const [agent, counts] of byAgent)
      for (const [key, n] of counts) this.count({ hour, agent, kind: Math.floor(key / 8), decision: key % 8, n });
    for (const [facet, n] of byFacet) this.facet(facet, n);
  }

  stats(): Stats {
    const { kinds, agents, facets } = this.#tables;
    const rules = new Map<string, number>();
    const clients = new Map<string, number>();
    for (const [id, n] of this.#facets) {
      const facet = parseFacets(facets.name(id), false);
      if (facet.client) add(clients, facet.client, n);
      for (const rule of new Set(facet.rules)) add(rules, rule, n);
    }
    const named = (counts: Map<number, number>, name: (id: number) => string | undefined) =>
      new Map([...counts].map(([id, n]) => [name(id) ?? "", n]));
    return {
      total: this.#total,
      by_type: Object.fromEntries(sorted(named(this.#kinds, id => kinds.name(id)))),
      by_decision: Object.fromEntries(decisions.map((decision, i) => [decision, this.#decisions[i + 1]!])),
      by_agent: sorted(named(this.#agents, id => agents.name(id))).map(([agent_id, count]) => ({ agent_id, count })),
      by_rule: sorted(rules).map(([rule, count]) => ({ rule, count })),
      by_client: Object.fromEntries(sorted(clients)),
      series: [...this.#series].sort(([a], [b]) => a - b).map(([t, counts]) => seriesPoint(t, counts)),
    };
  }
}

function seriesPoint(t: number, counts: readonly number[]): Stats["series"][number] {
  const [none = 0, ALLOW = 0, WARN = 0, ASK = 0, BLOCK = 0] = counts;
  return { t, total: none + ALLOW + WARN + ASK + BLOCK, ALLOW, WARN, ASK, BLOCK };
}

const add = <K>(map: Map<K, number>, key: K, n: number) => map.set(key, (map.get(key) ?? 0) + n);
const sorted = (counts: Map<string, number>) => [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
