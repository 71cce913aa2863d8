import type { Columns } from "./columns.ts";
import { type Calls, type HourTally, inner, tally } from "./tally.ts";

/** What the newest entries count that are not in the stored counters yet. */
export class Uncounted {
  /** How many stretches of entries went in. */
  parts = 0;
  entries = 0;
  #hours = new Map<number, HourTally>();

  hours(): Iterable<HourTally> {
    return this.#hours.values();
  }

  /** Adds `[from, n)`; returns what that is by itself. */
  add(columns: Columns, isCall: (facet: number) => boolean, from = 0): HourTally[] {
    const tallies = [...tally(columns, isCall, from)];
    for (const part of tallies) this.#merge(part);
    this.parts++;
    this.entries += columns.n - from;
    return tallies;
  }

  #merge({ hour, counts, calls }: HourTally): void {
    let known = this.#hours.get(hour);
    if (!known) this.#hours.set(hour, (known = { hour, counts: counts.map(() => new Map()), calls: new Map() }));
    for (const [of, ids] of counts.entries())
      for (const [id, n] of ids) known.counts[of]!.set(id, (known.counts[of]!.get(id) ?? 0) + n);
    for (const [facet, agents] of calls)
      for (const [agent, seen] of agents) mergeCalls(inner(known.calls, facet), agent, seen);
  }
}

function mergeCalls(agents: Map<number, Calls>, agent: number, { n, first_ms, last_ms }: Calls): void {
  const known = agents.get(agent);
  agents.set(agent, { n: (known?.n ?? 0) + n, first_ms: known?.first_ms ?? first_ms, last_ms });
}
