/** What compiled descriptions share. */
import type { PathTree } from "./path.ts";
import { expanded } from "./sets.ts";
import { Words } from "./words.ts";

/** What descriptions share while a rulebook is compiled: equal lists have one tester. */
export class Testers {
  readonly sets: Map<string, string[]>;
  readonly #words = new Map<string, Words>();
  readonly #paths = new Map<string, number>();
  readonly #tree: PathTree;

  constructor(sets: Map<string, string[]>, tree: PathTree) {
    this.sets = sets;
    this.#tree = tree;
  }

  words(patterns: string | string[], fold = false): Words {
    const list = expanded(patterns, this.sets);
    // With their number: nothing and one empty pattern are written alike.
    return shared(this.#words, `${fold ? "i" : ""}${list.length}\0${list.join("\0")}`, () => new Words(list, fold));
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
