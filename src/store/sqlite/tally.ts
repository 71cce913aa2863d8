import { type Columns, countedDecision, isEcho } from "./columns.ts";

export const msPerHour = 3_600_000;

/** What was counted in one hour. Keys are the numbers of names. */
export interface HourTally {
  hour: number;
  /** agent → kind × 8 + counted decision → entries */
  byAgent: Map<number, Map<number, number>>;
  byFacet: Map<number, number>;
  /** facet → agent → calls; echoes of a decision logged already are the same call. */
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
    yield { hour, byAgent: countAgents(columns, i, end), ...countFacets(columns, i, end, isCall) };
    i = end;
  }
}

function endOfHour({ ts }: Columns, from: number, to: number, end_ms: number): number {
  if (ts[to - 1]! < end_ms) return to;
  let i = from;
  while (ts[i]! < end_ms) i++;
  return i;
}

function countAgents({ agent, kind, flags }: Columns, from: number, to: number): HourTally["byAgent"] {
  const byAgent: HourTally["byAgent"] = new Map();
  let [last, counts] = [-1, new Map<number, number>()];
  for (let i = from; i < to; i++) {
    if (agent[i] !== last) counts = inner(byAgent, (last = agent[i]!));
    increment(counts, kind[i]! * 8 + countedDecision(flags[i]!));
  }
  return byAgent;
}

function countFacets(
  { facet, agent, flags, ts }: Columns,
  from: number,
  to: number,
  isCall: (facet: number) => boolean,
): Pick<HourTally, "byFacet" | "calls"> {
  const byFacet: HourTally["byFacet"] = new Map();
  const calls: HourTally["calls"] = new Map();
  for (let i = from; i < to; i++) {
    const id = facet[i]!;
    if (id === 0) continue;
    increment(byFacet, id);
    if (isCall(id) && !isEcho(flags[i]!)) countCall(inner(calls, id), agent[i]!, ts[i]!);
  }
  return { byFacet, calls };
}

function countCall(calls: Map<number, Calls>, agent: number, ts: number): void {
  const known = calls.get(agent);
  if (!known) calls.set(agent, { n: 1, first_ms: ts, last_ms: ts });
  else {
    known.n++;
    known.last_ms = ts;
  }
}

function inner<V>(map: Map<number, Map<number, V>>, key: number): Map<number, V> {
  let found = map.get(key);
  if (!found) map.set(key, (found = new Map()));
  return found;
}

const increment = (map: Map<number, number>, key: number) => map.set(key, (map.get(key) ?? 0) + 1);
