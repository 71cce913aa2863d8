import { LRUCache } from "lru-cache";
import type { Facets } from "../../domain/audit/facets.ts";
import { decisions } from "../../domain/policy/verdict.ts";
import type { ObservedCalls } from "../../domain/posture/drift.ts";
import type { AuditStats, ObservedServer, Stats, StatsQuery } from "../audit-stats.ts";
import type { Bundle } from "./bundles.ts";
import type { Columns } from "./columns.ts";
import { internFacets, parseFacets } from "./facets.ts";
import type { LogTables } from "./log-tables.ts";
import { mergeSums, Observed, type ToolCalls } from "./observed.ts";
import { seqAt } from "./page.ts";
import { type Calls, counted, type HourCounts, msPerHour, tally } from "./tally.ts";
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
  /** What whole bundles count, by their first entry and their length. By size alone: for a number, room is taken at once. */
  #bundles = new LRUCache<string, HourCounts[]>({ maxSize: rememberedMax, sizeCalculation: sizeOf });

  #observed: Observed;
  #ofAgent = new WeakMap<ReadonlyMap<number, Calls>, CallsOfAgent>();
  #called: Called;

  /** `called`: told, inside the transaction, what calls have come into the table of them. */
  constructor(tables: LogTables, size: () => number, called: Called) {
    this.#tables = tables;
    this.#size = size;
    this.#observed = new Observed(tables.db);
    this.#called = called;
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
  }

  reset(): void {
    this.forget();
    this.#observed.reset();
    this.#tables.db.exec("DELETE FROM tally; UPDATE counted SET size = 0");
    this.#uncounted = new Uncounted();
  }

  /** What was stored last. Inside its transaction. */
  add(columns: Columns): void {
    const known = this.#uncounted;
    const recent = known ?? this.#recent();
    known?.add(columns, this.#isCall);
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
    for (const [agent, calls] of this.#callsOf(recent)) {
      const isNew = this.#observed.add(agent, calls);
      this.#called({ agent_id: this.#tables.agents.name(agent)!, calls, isNew });
    }
    this.#tables.db.query("UPDATE counted SET size = size + ?").run(recent.entries);
    this.#uncounted = new Uncounted();
  }

  #store({ hour, counts }: HourCounts): void {
    const { db } = this.#tables;
    const count = db.query("INSERT INTO tally VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n");
    const day = Math.floor(hour / hoursPerDay);
    for (const [of, ids] of counts.entries())
      for (const [id, n] of of === FACET ? this.#withoutTools(ids) : ids) {
        count.run(HOUR, of, hour, id, n);
        count.run(DAY, of, day, id, n);
      }
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
  #ofBundle({ first, n, columns }: Bundle): HourCounts[] {
    const key = `${first} ${n}`;
    let known = this.#bundles.get(key);
    if (!known) this.#bundles.set(key, (known = [...tally(columns, this.#isCall)]));
    return known;
  }

  mcpServers(): ObservedServer[] {
    return this.#observed.servers(this.#callsOf(this.#recent()));
  }

  mcpCalls(agent_id: string): ObservedCalls[] {
    const known = new Map(this.storedCalls(agent_id).map(call => [toolKey(call), call]));
    const recent = this.#recent().calls.get(this.#tables.agents.find(agent_id)) ?? [];
    for (const call of this.#byTool(recent)) {
      const one = known.get(toolKey(call));
      if (one) mergeSums(one, call);
      else known.set(toolKey(call), { agent_id, ...call });
    }
    return [...known.values()];
  }

  /** Of `mcpCalls` what is in the table, without the newest. */
  storedCalls(agent_id: string): ObservedCalls[] {
    return this.#observed.of(this.#tables.agents.find(agent_id)).map(call => ({ agent_id, ...call }));
  }

  /** Calls that are not in the table yet. The same object for as long as the agent makes no more. */
  *recentCalls(): Generator<CallsOfAgent> {
    for (const [agent, facets] of this.#recent().calls) {
      let known = this.#ofAgent.get(facets);
      if (!known) {
        const calls = this.#byTool(facets);
        known = { agent_id: this.#tables.agents.name(agent)!, calls, isNew: this.#observed.isNew(agent, calls) };
        this.#ofAgent.set(facets, known);
      }
      yield known;
    }
  }

  *#callsOf({ calls }: Uncounted): Generator<[agent: number, calls: ToolCalls[]]> {
    for (const [agent, facets] of calls) yield [agent, this.#byTool(facets)];
  }

  /** One facet differs from the next by client and rules, too. */
  #byTool(facets: Iterable<[facet: number, calls: Calls]>): ToolCalls[] {
    const tools = new Map<string, ToolCalls>();
    for (const [facet, { n, first_ms, last_ms }] of facets) {
      const { server = "", tool = "" } = this.#facet(facet);
      const call = { server, tool, calls: n, first_seen_ms: first_ms, last_seen_ms: last_ms };
      const known = tools.get(toolKey(call));
      if (known) mergeSums(known, call);
      else tools.set(toolKey(call), call);
    }
    return [...tools.values()];
  }
}

const toolKey = ({ server, tool }: ToolCalls): string => `${server}\n${tool}`;

export interface CallsOfAgent {
  agent_id: string;
  calls: readonly ToolCalls[];
  /** One of the tools is new to the table for this agent. */
  isNew: boolean;
}
type Called = (calls: CallsOfAgent) => void;

interface SeriesRow {
  start: number;
  id: number;
  n: number;
}

/** Numbers held: what a remembered bundle weighs; being remembered at all is worth a hundred. */
const sizeOf = (tallies: HourCounts[]): number =>
  tallies.reduce((sum, { counts }) => counts.reduce((size, ids) => size + ids.size, sum), 100);

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

  tally({ hour, counts }: HourCounts): void {
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
