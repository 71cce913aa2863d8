import type { WordTest } from "./glob.ts";
import type { PathTree } from "./path.ts";
import { wordTest } from "./pattern.ts";
import { expanded } from "./sets.ts";

/** What descriptions share while a rulebook is compiled: equal lists have one tester. */
export class Testers {
  readonly sets: Map<string, string[]>;
  readonly #words = new Map<string, WordTest>();
  readonly #paths = new Map<string, number>();
  readonly #tree: PathTree;

  constructor(sets: Map<string, string[]>, tree: PathTree) {
    this.sets = sets;
    this.#tree = tree;
  }

  words(patterns: string | string[], fold = false): WordTest {
    const list = expanded(patterns, this.sets);
    // With their number: nothing and one empty pattern are written alike.
    return shared(this.#words, `${fold ? "i" : ""}${list.length}\0${list.join("\0")}`, () => wordTest(list, fold));
  }

  paths(patterns: string | string[]): number {
    const list = expanded(patterns, this.sets);
    return shared(this.#paths, `${list.length}\0${list.join("\0")}`, () => this.#tree.add(list));
  }
}

function shared<T>(known: Map<string, T>, key: string, make: () => T): T {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}
