/**
 * Whether a backtracking matcher may need more than linear time for a regular expression, and for what text. It does where
 * the same text can be read in more ways the longer it is: by going round a loop in two ways (exponential), by leaving one
 * loop for another at any turn (polynomial), or by starting the search anywhere before a loop (the same, the first loop being
 * the search itself). (Weideman et al., "Analyzing Matching Time Behavior of Backtracking Regular Expression Matchers", CIAA 2016.)
 */
import { type Automaton, automaton, type Edge, type Letters } from "./automaton.ts";

export interface Ambiguity {
  kind: "exponential" | "polynomial" | "search";
  /** What is repeated to make it slow. */
  pump: string;
}

export function ambiguity(source: string, flags = ""): Ambiguity | undefined {
  return new Search(automaton(source, flags)).found();
}

const bit = (set: Letters, letter: number): boolean => ((set >> BigInt(letter)) & 1n) === 1n;
/** States of a path: where each of those that read the same text stands, and whether they have parted. */
type Standing = readonly number[];

const SETS_MAX = 500;

class Search {
  readonly #edges: readonly (readonly Edge[])[];
  readonly #reads: readonly Letters[];
  readonly #letters: readonly string[];
  readonly #all: Letters;
  readonly #reach: ReadonlySet<number>[];
  /** The state of the search before its first character; -1 where it starts in one place only. */
  readonly #anywhere: number;
  readonly #rounds = new Map<number, ReadonlySet<number>>();
  readonly #steps = new Map<number, Edge[]>();

  constructor({ edges, reads, letters, all, begins, sticky }: Automaton) {
    this.#anywhere = sticky ? -1 : edges.length;
    const again: Edge = { to: edges.length, after: all, before: all, start: true, end: true };
    this.#edges = [...edges, [...begins, again]];
    this.#reads = [...reads, all];
    this.#letters = letters;
    this.#all = all;
    this.#reach = this.#edges.map((_, from) => this.#reached(from));
  }

  found(): Ambiguity | undefined {
    const live = this.#reach[this.#edges.length - 1]!;
    const loops = [...live].filter(
      state => this.#reach[state]!.has(state) && !this.#matched(state) && !this.#unfailing(state),
    );
    const tried = new Set<ReadonlySet<number>>();
    for (const p of loops) {
      // What one state of a loop can do, all can.
      const pump = p === this.#anywhere || [...tried].some(loop => loop.has(p)) ? undefined : this.#twice(p);
      tried.add(this.#round(p));
      if (pump !== undefined) return { kind: "exponential", pump };
    }
    for (const p of loops) {
      const search = p === this.#anywhere;
      if (p === this.#edges.length - 1 && !search) continue;
      for (const q of loops) {
        if (p === q || !this.#reach[p]!.has(q) || !this.#share(p, q) || (search && this.#certain(q))) continue;
        const pump = this.#left(p, q);
        if (pump !== undefined) return { kind: search ? "search" : "polynomial", pump };
      }
    }
    return undefined;
  }

  #reached(from: number): Set<number> {
    const seen = new Set<number>();
    const todo = [from];
    for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
      for (const { to } of this.#edges[state]!) {
        if (to < 0 || seen.has(to)) continue;
        seen.add(to);
        todo.push(to);
      }
    }
    return seen;
  }

  /** What was read so far is a match, whatever comes next. */
  #matched(state: number): boolean {
    return this.#edges[state]!.some(
      ({ to, after, before, end }) => to < 0 && end && after === this.#all && before === this.#all,
    );
  }

  /** Whatever comes next, it is read on or is a match: nothing ever sends the matcher back. */
  #unfailing(state: number): boolean {
    if (state === this.#anywhere) return false; // It reads everything, but it is no match.
    let taken = 0n;
    let end = false;
    for (const edge of this.#edges[state]!) {
      if (edge.after !== this.#all) continue;
      if (edge.to === state) taken |= edge.before & this.#reads[state]!;
      else if (edge.to < 0) {
        taken |= edge.before;
        end ||= edge.end;
      }
    }
    return end && taken === this.#all;
  }

  /** Some text leads round both loops at once. */
  #share(p: number, q: number): boolean {
    const [one, other] = [this.#round(p), this.#round(q)];
    const found = this.#path([p, q], [p, q], [p, q], ([a, b], last, next) =>
      this.#step(a!, last, next)
        .filter(({ to }) => one.has(to))
        .flatMap(({ to }) =>
          this.#step(b!, last, next)
            .filter(edge => other.has(edge.to))
            .map(edge => [to, edge.to]),
        ),
    );
    return found !== undefined;
  }

  /** Whatever follows, it ends in a match: a search that has come here never begins anew. */
  #certain(state: number): boolean {
    const seen = new Set<string>();
    const todo = [[state]];
    for (let states = todo.pop(); states !== undefined; states = todo.pop()) {
      const ways = states.flatMap(one => this.#edges[one]!).filter(edge => edge.after === this.#all);
      const match = ways.filter(edge => edge.to < 0);
      if (!match.some(edge => edge.end) || seen.size > SETS_MAX) return false;
      for (let letter = 0; letter < this.#letters.length; letter++) {
        if (match.some(edge => bit(edge.before, letter))) continue;
        const next = ways.filter(({ to, before }) => to >= 0 && bit(before & this.#reads[to]!, letter));
        const following = [...new Set(next.map(edge => edge.to))].sort((a, b) => a - b);
        if (following.length === 0) return false;
        if (seen.has(following.join())) continue;
        seen.add(following.join());
        todo.push(following);
      }
    }
    return true;
  }

  /** The states of the loop that a state is in: those where the matcher has no match to fall back on. */
  #round(state: number): ReadonlySet<number> {
    let states = this.#rounds.get(state);
    if (!states) {
      const loop = [...this.#reach[state]!].filter(other => this.#reach[other]!.has(state));
      states = new Set(loop.filter(other => !this.#matched(other)));
      this.#rounds.set(state, states);
    }
    return states;
  }

  #step(state: number, last: number, next: number): Edge[] {
    const key = (state * this.#letters.length + last) * this.#letters.length + next;
    let edges = this.#steps.get(key);
    if (!edges) {
      edges = this.#edges[state]!.filter(
        ({ to, after, before }) => to >= 0 && bit(after, last) && bit(before, next) && bit(this.#reads[to]!, next),
      );
      this.#steps.set(key, edges);
    }
    return edges;
  }

  /** A text that leads from `p` back to `p` in two ways. */
  #twice(p: number): string | undefined {
    const round = this.#round(p);
    return this.#path([p], [p, p, 0], [p, p, 1], ([a, b, parted], last, next) => {
      const found: Standing[] = [];
      for (const one of this.#step(a!, last, next))
        for (const other of this.#step(b!, last, next))
          if (round.has(one.to) && round.has(other.to))
            found.push([one.to, other.to, parted === 1 || one !== other ? 1 : 0]);
      return found;
    });
  }

  /** A text that leads from `p` to `p`, from `p` to `q` and from `q` to `q`. */
  #left(p: number, q: number): string | undefined {
    const [first, last] = [this.#round(p), this.#round(q)];
    // A search that has found one match begins anew behind it: the way there may pass through matches.
    const between = (state: number) =>
      state === q || (this.#reach[state]!.has(q) && (p === this.#anywhere || !this.#matched(state)));
    return this.#path([p, q], [p, p, q], [p, q, q], ([a, b, c], before, next) => {
      const found: Standing[] = [];
      for (const one of this.#step(a!, before, next)) {
        if (!first.has(one.to)) continue;
        for (const three of this.#step(c!, before, next)) {
          if (!last.has(three.to)) continue;
          for (const two of this.#step(b!, before, next)) if (between(two.to)) found.push([one.to, two.to, three.to]);
        }
      }
      return found;
    });
  }

  /** The text of the shortest way from one standing to another that ends with the letter it began after. */
  #path(
    readers: readonly number[],
    from: Standing,
    to: Standing,
    step: (standing: Standing, last: number, next: number) => Standing[],
  ): string | undefined {
    for (let letter = 0; letter < this.#letters.length; letter++) {
      if (!readers.every(state => bit(this.#reads[state]!, letter))) continue;
      const goal = [...to, letter].join();
      const seen = new Set<string>();
      let todo: [Standing, number, string][] = [[from, letter, ""]];
      while (todo.length > 0) {
        const following: typeof todo = [];
        for (const [standing, last, text] of todo) {
          for (let next = 0; next < this.#letters.length; next++) {
            for (const found of step(standing, last, next)) {
              const key = [...found, next].join();
              if (seen.has(key)) continue;
              seen.add(key);
              const read = text + this.#letters[next]!;
              if (key === goal) return read;
              following.push([found, next, read]);
            }
          }
        }
        todo = following;
      }
    }
    return undefined;
  }
}
