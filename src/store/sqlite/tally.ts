import { type Columns, countedDecision, isEcho } from "./columns.ts";

export const msPerHour = 3_600_000;

/** What is counted, in the order of the numbers that stand for it in the table. */
export const counted = ["decision", "kind", "agent", "facet"] as const;

/** What was counted in one hour. Keys are the numbers of names. */
export interface HourCounts {
  hour: number;
  /** By the order of `counted`: number → entries. Decisions count every entry, 0 standing for none. */
  counts: readonly Map<number, number>[];
}

export interface HourTally extends HourCounts {
  /** agent → facet → calls; echoes of a decision logged already are the same call. */
  calls: Map<number, Map<number, Calls>>;
}

export interface Calls {
  n: number;
  first_ms: number;
  last_ms: number;
}

/** Counts `[from, to)` of some columns, hour by hour. `isCall`: does this facet name an MCP server? */
export function* tally(
  columns: Columns,
  isCall: (facet: number) => boolean,
  from = 0,
  to = columns.n,
): Generator<HourTally> {
  for (let i = from; i < to; ) {
    const hour = Math.floor(columns.ts[i]! / msPerHour);
    const end = endOfHour(columns, i, to, (hour + 1) * msPerHour);
    yield { hour, counts: countAll(columns, i, end), calls: countCalls(columns, i, end, isCall) };
    i = end;
  }
}

function endOfHour({ ts }: Columns, from: number, to: number, end_ms: number): number {
  if (ts[to - 1]! < end_ms) return to;
  let i = from;
  while (ts[i]! < end_ms) i++;
  return i;
}

function countAll({ flags, kind, agent, facet }: Columns, from: number, to: number): Map<number, number>[] {
  const decisions = new Map<number, number>();
  for (let i = from; i < to; i++) increment(decisions, countedDecision(flags[i]!), 1);
  return [decisions, countRuns(kind, from, to), countRuns(agent, from, to), countRuns(facet, from, to)];
}

/** Neighbours are often alike. 0 stands for nothing. */
function countRuns(ids: Uint32Array, from: number, to: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (let i = from; i < to; ) {
    const id = ids[i]!;
    const start = i;
    while (i < to && ids[i] === id) i++;
    if (id !== 0) increment(counts, id, i - start);
  }
  return counts;
}

function countCalls(
  { facet, agent, flags, ts }: Columns,
  from: number,
  to: number,
  isCall: (facet: number) => boolean,
): HourTally["calls"] {
  const calls: HourTally["calls"] = new Map();
  for (let i = from; i < to; i++) {
    const id = facet[i]!;
    if (id !== 0 && agent[i] !== 0 && isCall(id) && !isEcho(flags[i]!)) countCall(inner(calls, agent[i]!), id, ts[i]!);
  }
  return calls;
}

function countCall(calls: Map<number, Calls>, facet: number, ts: number): void {
  const known = calls.get(facet);
  if (!known) calls.set(facet, { n: 1, first_ms: ts, last_ms: ts });
  else {
    known.n++;
    known.last_ms = ts;
  }
}

export function inner<V>(map: Map<number, Map<number, V>>, key: number): Map<number, V> {
  let found = map.get(key);
  if (!found) map.set(key, (found = new Map()));
  return found;
}

const increment = (map: Map<number, number>, key: number, n: number) => map.set(key, (map.get(key) ?? 0) + n);
