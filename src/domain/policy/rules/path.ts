/**
 * Path patterns, all of a rulebook in one tree of segments: a path is walked once, and the walk tells which pattern
 * lists it satisfies. `*` stays within a segment, `**` crosses them, `dir/**` includes `dir`.
 *
 * Places are written into the tree as they stand (`~/.ssh`, `$repo/.env`); a path is walked in each form it has
 * (`/home/ann/.ssh/id` is also `~/.ssh/id`), so the tree needs to know nothing of the caller.
 */
import { matcher } from "../engine/fold/pattern.ts";
import { Glob, isGlob, unescaped } from "./glob.ts";

interface Node {
  literal: Map<string, Node>;
  globs: { source: string; test: Glob; node: Node }[];
  /** `**`: stays where it is for any number of segments. */
  deep?: Node;
  isDeep: boolean;
  /** Lists that have a pattern ending here. */
  lists: number[];
  /** Lists of this node and all below it, gathered at the first walk; the tree no longer grows then. */
  below?: Set<number>;
}

const fresh = (isDeep = false): Node => ({ literal: new Map(), globs: [], isDeep, lists: [] });

const temporary = [
  "/tmp",
  "/var/tmp",
  "/private/tmp",
  "/private/var/tmp",
  "/dev/shm",
  "/__w/_temp",
  "%temp%",
  "$env:temp",
];

/** `$home/.ssh` → `~/.ssh`; `$tmp/**` → one pattern for each temporary directory. */
export function placed(pattern: string): string[] {
  if (pattern === "$home" || pattern.startsWith("$home/")) return [`~${pattern.slice(5)}`];
  if (pattern === "$tmp" || pattern.startsWith("$tmp/")) return temporary.map(place => place + pattern.slice(4));
  return [pattern];
}

/** Lists of a tree that one access satisfies: by its own path, or by what lies below it. */
export class PathLists {
  readonly own: number[] = [];
  readonly below: number[] = [];

  add(list: number): void {
    if (!this.own.includes(list)) this.own.push(list);
  }
  addBelow(list: number): void {
    if (!this.below.includes(list)) this.below.push(list);
  }
  has(list: number): boolean {
    return this.own.includes(list) || this.below.includes(list);
  }
}

export class PathTree {
  readonly #root = fresh();
  readonly #fold: boolean;
  #count = 0;

  /** `fold` ignores case, as the file systems of macOS and Windows do. */
  constructor(fold: boolean) {
    this.#fold = fold;
  }

  /** How many lists it holds. */
  get size(): number {
    return this.#count;
  }

  /** Adds one list of patterns and returns its number. */
  add(patterns: readonly string[]): number {
    const list = this.#count++;
    for (const pattern of patterns) {
      for (const path of placed(pattern)) this.#insert(this.#fold ? path.toLowerCase() : path, list);
    }
    return list;
  }

  #insert(pattern: string, list: number): void {
    let node = this.#root;
    for (const segment of segments(pattern)) {
      delete node.below;
      node = step(node, segment);
    }
    delete node.below;
    node.lists.push(list);
  }

  /** Adds each list that `path` satisfies to `found`. `below`: everything under the path counts as well. */
  walk(path: string, options: { below: boolean; wholly: boolean; globbed: boolean }, found: PathLists): void {
    const folded = this.#fold ? path.toLowerCase() : path;
    const words = segments(folded);
    let states = withDeep([this.#root]);
    let parents = states;
    for (const word of words) {
      parents = states;
      states = withDeep(advance(states, word, options.globbed));
      if (states.length === 0) break;
    }
    for (const node of states) {
      if (options.wholly && !node.isDeep) continue;
      for (const list of node.lists) found.add(list);
    }
    if (!options.below) return;
    // `dir/*` takes all that a plain listing of `dir` shows, and so stands for `dir` itself.
    const starred = options.globbed && words.length > 0 && words.at(-1)!.replaceAll("*", "") === "";
    for (const node of starred ? [...states, ...parents] : states) if (!node.isDeep) everythingBelow(node, found);
  }
}

/** `/` is one empty segment, so that the root has a node of its own. */
export function segments(path: string): string[] {
  const parts = path.split("/");
  while (parts.length > 1 && parts.at(-1) === "") parts.pop();
  return parts;
}

function step(node: Node, segment: string): Node {
  if (segment === "**") {
    node.deep ??= fresh(true);
    return node.deep;
  }
  if (isGlob(segment)) {
    const known = node.globs.find(glob => glob.source === segment);
    if (known) return known.node;
    const next = fresh();
    node.globs.push({ source: segment, test: new Glob(segment), node: next });
    return next;
  }
  const word = unescaped(segment);
  const next = node.literal.get(word) ?? fresh();
  node.literal.set(word, next);
  return next;
}

function withDeep(states: Node[]): Node[] {
  for (let at = 0; at < states.length; at++) {
    const { deep } = states[at]!;
    if (deep && !states.includes(deep)) states.push(deep);
  }
  return states;
}

/** Letters a glob must begin with to be taken for a name that may be anywhere. */
const prefixMin = 2;

function advance(states: Node[], word: string, globbed: boolean): Node[] {
  const next: Node[] = [];
  const expands = globbed && /[*?[]/.test(word);
  for (const node of states) {
    if (node.isDeep) next.push(node);
    // Somewhere below (`**`) a bare `*` or `*.json` says too little to be taken for one certain file.
    if (expands && !(node.isDeep && word.search(/[*?[]/) < prefixMin)) {
      const test = shellTest(word);
      for (const [literal, child] of node.literal) if (test(literal)) next.push(child);
    } else {
      const child = node.literal.get(word);
      if (child) next.push(child);
    }
    for (const glob of node.globs) {
      const meets = expands && !node.isDeep ? mayMeet(glob.source, word) : glob.test.fits(word);
      if (meets) next.push(glob.node);
    }
  }
  return next;
}

const meta = /[*?[{]/;

/** Whether one name could fit both globs: what stands before their first and after their last wild card must agree. */
function mayMeet(a: string, b: string): boolean {
  const [headA, headB] = [head(a), head(b)];
  if (!headA.startsWith(headB) && !headB.startsWith(headA)) return false;
  const [tailA, tailB] = [tail(a), tail(b)];
  return tailA.endsWith(tailB) || tailB.endsWith(tailA);
}

const head = (glob: string): string => glob.slice(0, Math.max(0, glob.search(meta)));

function tail(glob: string): string {
  let from = glob.length;
  while (from > 0 && !"*?]}".includes(glob[from - 1]!)) from--;
  return glob.slice(from);
}

/** Subtrees reached by names alone: `**` patterns say where a file may be, not that it is below this directory. */
function everythingBelow(node: Node, found: PathLists): void {
  node.below ??= gathered(node, new Set());
  for (const list of node.below) found.addBelow(list);
}

function gathered(node: Node, into: Set<number>): Set<number> {
  for (const list of node.lists) into.add(list);
  for (const list of node.deep?.lists ?? []) into.add(list);
  for (const child of node.literal.values()) gathered(child, into);
  for (const { node: child } of node.globs) gathered(child, into);
  return into;
}

/** A glob the shell has yet to expand, against a name it might become: `.` is matched only when written. */
function shellTest(word: string): (name: string) => boolean {
  const matches = matcher(word);
  return name => (word.startsWith(".") || !name.startsWith(".")) && matches(name);
}
