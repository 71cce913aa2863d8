/**
 * What is known about paths already met: which lists of a tree each satisfies. A rulebook serves many calls, and most
 * of them name the same few hundred paths. It holds as long as the tree does not grow.
 */
import type { FileFact, FlowFact } from "../facts.ts";
import type { World } from "../verdict.ts";
import type { PathLists, PathTree } from "./path.ts";
import { repoRoot } from "./place.ts";

/** Paths kept for all callers together, and the longest that is kept. */
const pathsMax = 4096;
const charsMax = 256;

type Look = (tree: PathTree, fact: FileFact | FlowFact, world: World) => PathLists;
type Known = Map<string, PathLists>;

export class PathLookups {
  readonly #tree: PathTree;
  readonly #look: Look;
  readonly #reaches: (fact: FileFact | FlowFact) => boolean;
  /** By caller's home and repository; then resolved or not, reaching below or not; then the path. */
  readonly #worlds = new Map<string, [Known, Known, Known, Known]>();
  #size = 0;
  #held = 0;
  #last: { home: string | undefined; root: string | undefined; known: [Known, Known, Known, Known] } | undefined;

  constructor(tree: PathTree, look: Look, reaches: (fact: FileFact | FlowFact) => boolean) {
    this.#tree = tree;
    this.#look = look;
    this.#reaches = reaches;
  }

  of(fact: FileFact | FlowFact, world: World): PathLists {
    const text = fact.path?.text ?? "";
    if (text.length > charsMax) return this.#look(this.#tree, fact, world);
    if (this.#size !== this.#tree.size || this.#held >= pathsMax) this.#forget();
    const known = this.#known(world)[(fact.path?.known ? 1 : 0) + (this.#reaches(fact) ? 2 : 0)]!;
    let lists = known.get(text);
    if (lists === undefined) {
      lists = this.#look(this.#tree, fact, world);
      known.set(text, lists);
      this.#held++;
    }
    return lists;
  }

  #known(world: World): [Known, Known, Known, Known] {
    const { home } = world;
    const root = repoRoot(world);
    if (this.#last !== undefined && this.#last.home === home && this.#last.root === root) return this.#last.known;
    const caller = `${home ?? ""}\0${root ?? ""}`;
    let known = this.#worlds.get(caller);
    if (known === undefined) {
      known = [new Map(), new Map(), new Map(), new Map()];
      this.#worlds.set(caller, known);
      this.#held++;
    }
    this.#last = { home, root, known };
    return known;
  }

  #forget(): void {
    this.#worlds.clear();
    this.#last = undefined;
    this.#held = 0;
    this.#size = this.#tree.size;
  }
}
