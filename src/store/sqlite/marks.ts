import type { Columns } from "./columns.ts";

/**
 * What a bundle may hold, as a Bloom filter over its kinds, agents, decisions and facets: a search for something rare skips
 * most bundles without unpacking them. Small bundles have none.
 */
export type Marks = Uint8Array;

const bits = 4096;
const smallest = 64;
const dimensions = { kind: 1, agent: 2, facet: 3, decision: 4 } as const;
type Dimension = keyof typeof dimensions;

/** What must all be there; of `facets` any one will do. */
export interface Wanted {
  kind: number;
  agent: number;
  decision: number;
  facets: ReadonlySet<number> | undefined;
}

function position(dimension: Dimension, id: number): number {
  const mixed = Math.imul(id + 1, 0x9e3779b1) ^ Math.imul(dimensions[dimension], 0x85ebca6b);
  return (Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 0) % bits;
}

export function marksOf({ n, kind, agent, facet, flags }: Columns): Marks {
  if (n < smallest) return new Uint8Array(0);
  const marks = new Uint8Array(bits / 8);
  const add = (dimension: Dimension, ids: Uint32Array | Uint8Array, mask = -1) => {
    let last = -1;
    for (let i = 0; i < n; i++) {
      const id = ids[i]! & mask;
      if (id === last) continue;
      const at = position(dimension, (last = id));
      marks[at >> 3]! |= 1 << (at & 7);
    }
  };
  add("kind", kind);
  add("agent", agent);
  add("facet", facet);
  add("decision", flags, 7);
  return marks;
}

/** False only when the bundle holds nothing of what is wanted. */
export function mayHold(marks: Marks, { kind, agent, decision, facets }: Wanted): boolean {
  if (marks.length !== bits / 8) return true;
  const has = (dimension: Dimension, id: number) =>
    (marks[position(dimension, id) >> 3]! & (1 << (position(dimension, id) & 7))) !== 0;
  return (
    (kind === 0 || has("kind", kind)) &&
    (agent === 0 || has("agent", agent)) &&
    (decision === 0 || has("decision", decision)) &&
    (facets === undefined || facets.values().some(facet => has("facet", facet)))
  );
}
