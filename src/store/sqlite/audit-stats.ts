import { LRUCache } from "lru-cache";
import type { Facets } from "../../domain/audit/facets.ts";
import { decisions } from "../../domain/policy/verdict.ts";
import type { ObservedCalls } from "../../domain/posture/drift.ts";
import type { AuditStats, ObservedServer, Stats, StatsQuery } from "../audit-stats.ts";
import type { Bundle } from "./bundles.ts";
import type { Columns } from "./columns.ts";
import { internFacets, parseFacets } from "./facets.ts";
import type { LogTables } from "./log-tables.ts";
import { seqAt } from "./page.ts";
import { type Calls, counted, type HourTally, msPerHour, tally } from "./tally.ts";
import { Uncounted } from "./uncounted.ts";

const HOUR = 0;
const DAY = 1;
const hoursPerDay = 24;
const DECISION = counted.indexOf("decision");
const AGENT = counted.indexOf("agent");
const FACET = counted.indexOf("facet");
/** Entries whose counts are remembered, bundle by bundle, for windows that begin or end within an hour. */
const rememberedMax = 4_000_000;
const facetsMax = 20_000;
/** So many entries or commits may wait in memory: a small commit costs more pages of counters than of log. */
const waiting = { entries: 8_192, commits: 128 };

/**
 * Counters by the hour and the day, kept from the columns of each bundle; parts of an hour are counted when asked for. Those in
 * the file stand at the entry `counted` says; what came later is held beside them, and counted from the log after a start.
 */
export class AuditCounters implements AuditStats {
  #tables: LogTables;
  #size: () => number;

  #facets = new Map<number, Facets>();
  /** Facets → what is counted of them. */
  #toolless = new Map<number, number>();
  /** Undefined until asked for, and after a rollback. */
  #uncounted: Uncounted | undefined;
  /** Calls of MCP tools, once they have been asked for. */
  #calls: Map<number, Map<string, ObservedCalls>> | undefined;

  /** What whole bundles count, by their first entry and their length. By size alone: for a number, room is taken at once. */
  #bundles = new LRUCache<string, HourTally[]>({ maxSize: rememberedMax, sizeCalculation: sizeOf });

  constructor(tables: LogTables, size: () => number) {
    this.#tables = tables;
    this.#size = size;
  }

  /** What a facet says. A number keeps its meaning, but for what a rollback takes back. */
  #facet = (id: number): Facets => {
    let known = this.#facets.get(id);
    if (!known) {
      if (this.#facets.size >= facetsMax) this.#facets.clear();
      this.#facets.set(id, (known = parseFacets(this.#tables.facets.name(id), false)));
    }
    return known;
  };

  #isCall = (facet: number): boolean => this.#facet(facet).server !== undefined;

  /** After a rollback, and before a rebuild. */
  forget(): void {
    this.rest();
    this.#uncounted = undefined;
  }

  /** Lets go of what is quickly read again. */
  rest(): void {
    this.#facets.clear();
    this.#toolless.clear();
    this.#bundles.clear();
    this.#calls = undefined;
  }

  reset(): void {
    this.forget();
    for (const table of ["tally", "observed"]) this.#tables.db.exec(`DELETE FROM ${table}`);
    this.#tables.db.exec("UPDATE counted SET size = 0");
    this.#uncounted = new Uncounted();
  }

  /** What was stored last. Inside its transaction. */
  add(columns: Columns): void {
    const known = this.#uncounted;
    const recent = known ?? this.#recent();
    if (known) for (const { calls } of known.add(columns, this.#isCall)) this.#observeAll(calls);
    if (recent.entries >= waiting.entries || recent.parts >= waiting.commits) this.#flush(recent);
  }

  /** What the file's counters do not know yet. */
  #recent(): Uncounted {
    if (this.#uncounted) return this.#uncounted;
    const recent = new Uncounted();
    const from = this.#tables.db.query<{ size: number }>("SELECT size FROM counted").get()!.size;
    for (const { first, columns } of this.#tables.bundles.range(from, this.#size()))
      recent.add(columns, this.#isCall, Math.max(0, from - first));
    return (this.#uncounted = recent);
  }

  #flush(recent: Uncounted): void {
    for (const counts of recent.hours()) this.#store(counts);
    this.#tables.db.query("UPDATE counted SET size = size + ?").run(recent.entries);
    this.#uncounted = new Uncounted();
  }

  #store({ hour, counts, calls }: HourTally): void {
    const { db } = this.#tables;
    const count = db.query("INSERT INTO tally VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n");
    const day = Math.floor(hour / hoursPerDay);
    for (const [of, ids] of counts.entries())
      for (const [id, n] of of === FACET ? this.#withoutTools(ids) : ids) {
        count.run(HOUR, of, hour, id, n);
        count.run(DAY, of, day, id, n);
      }
    const observed = `INSERT INTO observed VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, last_ms = excluded.last_ms`;
    for (const [facet, agents] of calls)
      for (const [agent, seen] of agents) db.query(observed).run(facet, agent, seen.n, seen.first_ms, seen.last_ms);
  }

  /** Statistics tell clients and rules apart, not servers and tools: a tenth of the counters will do. Inside a transaction. */
  #withoutTools(ids: ReadonlyMap<number, number>): Map<number, number> {
    const sums = new Map<number, number>();
    for (const [id, n] of ids) {
      let kept = this.#toolless.get(id);
      if (kept === undefined) {
        const { server, tool, ...rest } = this.#facet(id);
        kept = server === undefined && tool === undefined ? id : internFacets(this.#tables.facets, rest);
        if (this.#toolless.size >= facetsMax) this.#toolless.clear();
        this.#toolless.set(id, kept);
      }
      if (kept !== 0) add(sums, kept, n);
    }
    return sums;
  }

  stats(query: StatsQuery): Stats {
    const sums = new Sums(this.#tables, this.#facet, query);
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

  /** Whole hours: the days among them at once. */
  #addHours(sums: Sums, from: number, to: number): void {
    for (const recent of this.#recent().hours()) if (recent.hour >= from && recent.hour < to) sums.tally(recent);
    const [firstDay, lastDay] = [Math.ceil(from / hoursPerDay), Math.floor(to / hoursPerDay)];
    if (firstDay >= lastDay) return this.#addSpan(sums, HOUR, from, to);
    this.#addSpan(sums, HOUR, from, firstDay * hoursPerDay);
    this.#addSpan(sums, DAY, firstDay, lastDay);
    this.#addSpan(sums, HOUR, lastDay * hoursPerDay, to);
  }

  #addSpan(sums: Sums, span: number, from: number, to: number): void {
    if (from >= to) return;
    const { db } = this.#tables;
    const sql = "SELECT id, sum(n) AS n FROM tally WHERE span = ? AND of = ? AND start >= ? AND start < ? GROUP BY id";
    for (const of of counted.keys())
      if (of !== DECISION && sums.wants(of))
        for (const { id, n } of db.query<{ id: number; n: number }>(sql).all(span, of, from, to)) sums.count(of, id, n);
    // The series wants them by the hour, unless its buckets are days.
    const fine = sums.bucketHours === 1 ? HOUR : span;
    const hours = span === DAY ? hoursPerDay : 1;
    const unit = fine === DAY ? hoursPerDay : 1;
    const series = "SELECT start, id, n FROM tally WHERE span = ? AND of = ? AND start >= ? AND start < ?";
    const ends = [(from * hours) / unit, (to * hours) / unit] as const;
    for (const { start, id, n } of db.query<SeriesRow>(series).all(fine, DECISION, ...ends))
      sums.decision(start * unit, id, n);
  }

  #addPart(sums: Sums, from_ms: number, to_ms: number): void {
    if (from_ms >= to_ms) return;
    const [from, to] = [from_ms, to_ms].map(ts => seqAt(this.#tables, this.#size(), ts)) as [number, number];
    if (from >= to) return;
    for (const bundle of this.#tables.bundles.range(from, to)) {
      const { first, n, columns } = bundle;
      if (first >= from && first + n <= to) for (const counts of this.#ofBundle(bundle)) sums.tally(counts);
      else
        for (const counts of tally(columns, this.#isCall, Math.max(0, from - first), Math.min(n, to - first)))
          sums.tally(counts);
    }
  }

  /** What lies in a stored bundle never changes: erasing leaves the columns. */
  #ofBundle({ first, n, columns }: Bundle): HourTally[] {
    const key = `${first} ${n}`;
    let known = this.#bundles.get(key);
    if (!known) this.#bundles.set(key, (known = [...tally(columns, this.#isCall)]));
    return known;
  }

  mcpServers(): ObservedServer[] {
    const servers = new Map<string, ObservedServer & { tools: ToolSums[] }>();
    for (const calls of this.#observed().values()) {
      const seen = new Set<string>();
      for (const { server, tool, ...sums } of calls.values()) {
        let known = servers.get(server);
        if (!known) servers.set(server, (known = { name: server, agents: 0, tools: [], ...none(sums) }));
        if (!seen.has(server)) known.agents++;
        seen.add(server);
        merge(known, sums);
        if (tool === "") continue;
        let used = known.tools.find(one => one.name === tool);
        if (!used) known.tools.push((used = { name: tool, ...none(sums) }));
        merge(used, sums);
      }
    }
    for (const { tools } of servers.values()) tools.sort(byName);
    return [...servers.values()].sort(byName);
  }

  mcpCalls(): ObservedCalls[] {
    return [...this.#observed().values()].flatMap(calls => [...calls.values()]);
  }

  /** By agent, then by server and tool; read once, then kept up with what is added. */
  #observed(): Map<number, Map<string, ObservedCalls>> {
    if (this.#calls) return this.#calls;
    this.#calls = new Map();
    const sql = "SELECT facet, agent, calls AS n, first_ms, last_ms FROM observed";
    for (const { facet, agent, ...calls } of this.#tables.db.query<Calls & { facet: number; agent: number }>(sql).all())
      this.#observe(facet, agent, calls);
    for (const { calls } of this.#recent().hours()) this.#observeAll(calls);
    return this.#calls;
  }

  #observeAll(calls: HourTally["calls"]): void {
    if (this.#calls)
      for (const [facet, agents] of calls) for (const [agent, seen] of agents) this.#observe(facet, agent, seen);
  }

  /** One facet differs from the next by client and rules, too. */
  #observe(facet: number, agent: number, { n, first_ms, last_ms }: Calls): void {
    const { server, tool = "" } = this.#facet(facet);
    const agent_id = this.#tables.agents.name(agent);
    if (!server || agent_id === undefined) return;
    let calls = this.#calls!.get(agent);
    if (!calls) this.#calls!.set(agent, (calls = new Map()));
    const sums = { calls: n, first_seen_ms: first_ms, last_seen_ms: last_ms };
    const key = `${server}\n${tool}`;
    const known = calls.get(key);
    if (known) merge(known, sums);
    else calls.set(key, { agent_id, server, tool, ...sums });
  }
}

interface SeriesRow {
  start: number;
  id: number;
  n: number;
}

/** Numbers held: what a remembered bundle weighs; being remembered at all is worth a hundred. */
const sizeOf = (tallies: HourTally[]): number =>
  tallies.reduce((sum, { counts }) => counts.reduce((size, ids) => size + ids.size, sum), 100);

type ToolSums = ObservedServer["tools"][number];
type CallSums = Omit<ToolSums, "name">;

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
const none = ({ first_seen_ms, last_seen_ms }: CallSums): CallSums => ({ calls: 0, first_seen_ms, last_seen_ms });

function merge(sums: CallSums, more: CallSums): void {
  sums.calls += more.calls;
  sums.first_seen_ms = Math.min(sums.first_seen_ms, more.first_seen_ms);
  sums.last_seen_ms = Math.max(sums.last_seen_ms, more.last_seen_ms);
}

/** Adds counts up into the answer. */
class Sums {
  readonly bucketHours: number;
  /** Is this one of what is counted asked for? */
  readonly wants: (of: number) => boolean;
  #tables: LogTables;
  #facet: (id: number) => Facets;
  #counts = counted.map(() => new Map<number, number>());
  #series = new Map<number, number[]>();

  constructor(tables: LogTables, facet: (id: number) => Facets, { bucket, by_agent = true }: StatsQuery) {
    this.#tables = tables;
    this.#facet = facet;
    this.bucketHours = bucket === "day" ? hoursPerDay : 1;
    this.wants = of => of !== AGENT || by_agent;
  }

  count(of: number, id: number, n: number): void {
    add(this.#counts[of]!, id, n);
  }

  decision(hour: number, decision: number, n: number): void {
    this.count(DECISION, decision, n);
    const t = Math.floor(hour / this.bucketHours) * this.bucketHours * msPerHour;
    if (!this.#series.has(t)) this.#series.set(t, [0, 0, 0, 0, 0]);
    this.#series.get(t)![decision]! += n;
  }

  tally({ hour, counts }: HourTally): void {
    for (const [of, ids] of counts.entries())
      if (this.wants(of))
        for (const [id, n] of ids)
          if (of === DECISION) this.decision(hour, id, n);
          else this.count(of, id, n);
  }

  stats(): Stats {
    const { kinds, agents } = this.#tables;
    const [byDecision, byKind, byAgent, byFacet] = this.#counts as [Counts, Counts, Counts, Counts];
    const rules = new Map<string, number>();
    const clients = new Map<string, number>();
    for (const [id, n] of byFacet) {
      const facet = this.#facet(id);
      if (facet.client) add(clients, facet.client, n);
      for (const rule of new Set(facet.rules)) add(rules, rule, n);
    }
    const named = (counts: Map<number, number>, name: (id: number) => string | undefined) =>
      new Map([...counts].map(([id, n]) => [name(id) ?? "", n]));
    return {
      total: [...byDecision.values()].reduce((sum, n) => sum + n, 0),
      by_type: Object.fromEntries(sorted(named(byKind, id => kinds.name(id)))),
      by_decision: Object.fromEntries(decisions.map((decision, i) => [decision, byDecision.get(i + 1) ?? 0])),
      by_agent: sorted(named(byAgent, id => agents.name(id))).map(([agent_id, count]) => ({ agent_id, count })),
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

type Counts = Map<number, number>;
const add = <K>(map: Map<K, number>, key: K, n: number) => map.set(key, (map.get(key) ?? 0) + n);
const sorted = (counts: Map<string, number>) => [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
