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

/** Counts `[from, to)` of some columns, hour by hour. */
export function* tally(
  columns: Columns,
  isCall: (facet: number) => boolean,
  from = 0,
  to = columns.n,
): Generator<HourTally> {
  for (let i = from; i < to; ) {
    const hour = Math.floor(columns.ts[i]! / msPerHour);
    const counts: HourTally = { hour, byAgent: new Map(), byFacet: new Map(), calls: new Map() };
    for (const end = (hour + 1) * msPerHour; i < to && columns.ts[i]! < end; i++) count(counts, columns, i, isCall);
    yield counts;
  }
}

function count(counts: HourTally, columns: Columns, i: number, isCall: (facet: number) => boolean): void {
  const agent = columns.agent[i]!;
  const facet = columns.facet[i]!;
  const flags = columns.flags[i]!;
  increment(inner(counts.byAgent, agent), columns.kind[i]! * 8 + countedDecision(flags));
  if (facet === 0) return;
  increment(counts.byFacet, facet);
  if (isEcho(flags) || !isCall(facet)) return;
  const ts = columns.ts[i]!;
  const calls = inner(counts.calls, facet).get(agent);
  if (!calls) counts.calls.get(facet)!.set(agent, { n: 1, first_ms: ts, last_ms: ts });
  else {
    calls.n++;
    calls.last_ms = ts;
  }
}

function inner<V>(map: Map<number, Map<number, V>>, key: number): Map<number, V> {
  let found = map.get(key);
  if (!found) map.set(key, (found = new Map()));
  return found;
}

const increment = (map: Map<number, number>, key: number) => map.set(key, (map.get(key) ?? 0) + 1);
