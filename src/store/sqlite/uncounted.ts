import type { Columns } from "./columns.ts";
import { type Calls, type HourCounts, type HourTally, tally } from "./tally.ts";

/** What the newest entries count that are not in the stored counters yet. */
export class Uncounted {
  /** How many stretches of entries went in. */
  parts = 0;
  entries = 0;
  /** Calls of MCP tools in them, of all hours: agent → facet → calls. An agent's are another map after each that is added. */
  readonly calls = new Map<number, ReadonlyMap<number, Calls>>();
  #hours = new Map<number, HourCounts>();

  hours(): Iterable<HourCounts> {
    return this.#hours.values();
  }

  /** Adds `[from, n)`. */
  add(columns: Columns, isCall: (facet: number) => boolean, from = 0): void {
    for (const part of tally(columns, isCall, from)) this.#merge(part);
    this.parts++;
    this.entries += columns.n - from;
  }

  #merge({ hour, counts, calls }: HourTally): void {
    let known = this.#hours.get(hour);
    if (!known) this.#hours.set(hour, (known = { hour, counts: counts.map(() => new Map()) }));
    for (const [of, ids] of counts.entries())
      for (const [id, n] of ids) known.counts[of]!.set(id, (known.counts[of]!.get(id) ?? 0) + n);
    for (const [agent, facets] of calls) {
      const all = new Map(this.calls.get(agent));
      for (const [facet, seen] of facets) mergeCalls(all, facet, seen);
      this.calls.set(agent, all);
    }
  }
}

function mergeCalls(facets: Map<number, Calls>, facet: number, { n, first_ms, last_ms }: Calls): void {
  const known = facets.get(facet);
  facets.set(facet, { n: (known?.n ?? 0) + n, first_ms: known?.first_ms ?? first_ms, last_ms });
}
