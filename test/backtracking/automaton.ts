/**
 * A regular expression as an automaton that keeps what a backtracking matcher does: one state for each character written,
 * one edge for each way from one to the next. Two ways between the same states are two edges.
 *
 * Approximated towards more ways: lookaheads of more than one character, lookbehinds and backreferences to more than one
 * character are taken as holding wherever they stand.
 */
import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** What stands for all characters: one of every kind that any class in use tells apart. */
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const alphabet = [...ascii, "\u00a0", "\u00e9", "\u017f", "\u2028", "\u2029", "\u4e2d", "\ufeff", "\ufffc", "\ufffd"];

/** A set of letters, one bit each. */
export type Letters = bigint;

/** Where a way is open: after which letter and before which; `start` and `end`: also where there is none. */
interface Guard {
  after: Letters;
  before: Letters;
  start: boolean;
  end: boolean;
}

export interface Edge extends Guard {
  /** The state it leads to; -1 is a match. */
  to: number;
}

export interface Automaton {
  /** One character for each letter. */
  letters: readonly string[];
  all: Letters;
  /** What each state has read. */
  reads: readonly Letters[];
  edges: readonly (readonly Edge[])[];
  /** From where the search begins. */
  begins: readonly Edge[];
  /** It is tried at one place only. */
  sticky: boolean;
}

const STATES_MAX = 4_000;
/** More often is as good as any number of times. */
const REPEATS_MAX = 256;

/** A piece of the expression: from where one comes, it gives every way out. */
type Node =
  | { kind: "read"; state: number; outs: Node[] }
  | { kind: "guard"; guard: Guard; outs: Node[] }
  | { kind: "split"; outs: Node[] }
  /** Once more, or on; `depth`: loops around it. */
  | { kind: "loop"; outs: Node[]; depth: number }
  | { kind: "match" };

export function automaton(source: string, flags: string): Automaton {
  const parser = new RegExpParser();
  const unicode = flags.includes("u") || flags.includes("v");
  const pattern = parser.parsePattern(source, 0, source.length, { unicode, unicodeSets: flags.includes("v") });
  return new Builder(flags).build(pattern);
}

class Builder {
  readonly #flags: string;
  readonly #letters: string[] = [];
  readonly #bits = new Map<string, Letters>();
  readonly #reads: Letters[] = [];
  readonly #nodes: Node[] = [];
  #depth = 0;
  #all: Letters = 0n;
  #word: Letters = 0n;
  #newline: Letters = 0n;

  constructor(flags: string) {
    this.#flags = flags.replace(/[gyd]/g, "") + (flags.includes("y") ? "y" : "");
  }

  build(pattern: AST.Pattern): Automaton {
    this.#choose(pattern);
    const match: Node = { kind: "match" };
    const first = this.#alternatives(pattern.alternatives, match);
    const edges = this.#nodes.map(node => (node.kind === "read" ? ways(node.outs, this.#all) : []));
    return {
      letters: this.#letters,
      all: this.#all,
      reads: this.#reads,
      edges,
      begins: ways([first], this.#all),
      sticky: this.#flags.includes("y"),
    };
  }

  /** Characters that no class of the pattern tells apart are one letter. */
  #choose(pattern: AST.Pattern): void {
    const raws = new Set<string>(["\\w", "[\\n\\r\\u2028\\u2029]"]);
    walk(pattern, node => raws.add(node.raw));
    const tests = [...raws].map(raw => ({ raw, set: this.#matcher(raw) }));
    const seen = new Map<string, number>();
    for (const c of alphabet) {
      const key = tests.map(({ set }) => (set.test(c) ? "1" : "0")).join("");
      if (seen.has(key)) continue;
      const letter = BigInt(this.#letters.length);
      seen.set(key, this.#letters.push(c));
      this.#all |= 1n << letter;
      for (const { raw, set } of tests) if (set.test(c)) this.#bits.set(raw, this.#of(raw) | (1n << letter));
    }
    this.#word = this.#of("\\w");
    this.#newline = this.#of("[\\n\\r\\u2028\\u2029]");
  }

  #matcher(raw: string): RegExp {
    return new RegExp(`^(?:${raw})$`, this.#flags.replace(/[my]/g, ""));
  }

  #of(raw: string): Letters {
    return this.#bits.get(raw) ?? 0n;
  }

  #alternatives(list: readonly AST.Alternative[], after: Node): Node {
    const outs = list.map(one => this.#sequence(one.elements, after));
    return outs.length === 1 ? outs[0]! : { kind: "split", outs };
  }

  #sequence(elements: readonly AST.Element[], after: Node): Node {
    return elements.reduceRight<Node>((then, element) => this.#element(element, then), after);
  }

  #element(element: AST.Element, after: Node): Node {
    switch (element.type) {
      case "Character":
      case "CharacterClass":
      case "CharacterSet":
      case "ExpressionCharacterClass":
        return this.#read(this.#of(element.raw), after);
      case "Group":
      case "CapturingGroup":
        return this.#alternatives(element.alternatives, after);
      case "Quantifier":
        return this.#repeat(element, after);
      case "Assertion":
        return this.#assertion(element, after);
      case "Backreference":
        return this.#backreference(element, after);
    }
  }

  #read(letters: Letters, after: Node): Node {
    const state = this.#reads.push(letters) - 1;
    if (state > STATES_MAX) throw new Error("too large to be analysed");
    const node: Node = { kind: "read", state, outs: [after] };
    this.#nodes[state] = node;
    return node;
  }

  #repeat({ element, min, max }: AST.Quantifier, after: Node): Node {
    let node = after;
    min = Math.min(min, REPEATS_MAX);
    if (max > REPEATS_MAX) {
      const again: Node = { kind: "loop", outs: [after], depth: this.#depth++ };
      const body = this.#element(element, again);
      this.#depth--;
      again.outs.unshift(body);
      // `x+` is the body and then the choice; `x*` begins with the choice.
      node = min === 0 ? again : body;
      min = Math.max(0, min - 1);
      max = min;
    }
    for (let i = min; i < max; i++) node = { kind: "split", outs: [this.#element(element, node), after] };
    for (let i = 0; i < min; i++) node = this.#element(element, node);
    return node;
  }

  /** What one character may be, where `element` is asked for no more. */
  #single(alternatives: readonly AST.Alternative[]): Letters | undefined {
    let letters = 0n;
    for (const { elements } of alternatives) {
      const [only] = elements;
      if (elements.length !== 1 || !only) return undefined;
      if (only.type === "Quantifier" && only.min === 1 && "raw" in only.element) letters |= this.#of(only.element.raw);
      else if (!/^(Character|CharacterClass|CharacterSet)$/.test(only.type)) return undefined;
      else letters |= this.#of(only.raw);
    }
    return letters;
  }

  #assertion(node: AST.Assertion, after: Node): Node {
    const all = this.#all;
    const open: Guard = { after: all, before: all, start: true, end: true };
    const guard = (part: Partial<Guard>): Node => ({ kind: "guard", guard: { ...open, ...part }, outs: [after] });
    const lines = this.#flags.includes("m") ? this.#newline : 0n;
    const other = all & ~this.#word;
    switch (node.kind) {
      case "start":
        return guard({ after: lines });
      case "end":
        return guard({ before: lines });
      case "word": {
        const same = [
          guard({ after: this.#word, before: this.#word, start: false, end: false }),
          guard({ after: other, before: other }),
        ];
        const change = [
          guard({ after: this.#word, before: other, start: false }),
          guard({ after: other, before: this.#word, end: false }),
        ];
        return { kind: "split", outs: node.negate ? same : change };
      }
      case "lookahead": {
        const one = this.#single(node.alternatives);
        if (one !== undefined) {
          return node.negate ? guard({ before: all & ~one }) : guard({ before: one, end: false });
        }
        // What it reads is read for nothing, each time; then the way goes on.
        return { kind: "split", outs: [this.#alternatives(node.alternatives, { kind: "match" }), after] };
      }
      case "lookbehind": {
        const one = this.#single(node.alternatives);
        if (one === undefined) return after;
        return node.negate ? guard({ after: all & ~one }) : guard({ after: one, start: false });
      }
    }
  }

  #backreference({ resolved }: AST.Backreference, after: Node): Node {
    const groups = Array.isArray(resolved) ? resolved : [resolved];
    const one = groups.length === 1 ? this.#single(groups[0]!.alternatives) : undefined;
    if (one !== undefined) return this.#read(one, after);
    const again: Node = { kind: "split", outs: [after] };
    again.outs.unshift(this.#read(this.#all, again));
    return again;
  }
}

/** Every character, class and set in the pattern. */
function walk(node: AST.Node, found: (leaf: AST.Node) => void): void {
  if (/^(Character|CharacterClass|CharacterSet|ExpressionCharacterClass)$/.test(node.type)) return found(node);
  if ("alternatives" in node) for (const one of node.alternatives) walk(one as AST.Node, found);
  if ("elements" in node) for (const one of node.elements) walk(one as AST.Node, found);
  if (node.type === "Quantifier") walk(node.element, found);
}

/** All ways from here to the next character read or to a match, each once for every way there is. */
function ways(from: readonly Node[], all: Letters): Edge[] {
  const edges: Edge[] = [];
  const go = (node: Node, guard: Guard, passed: readonly (Node & { kind: "loop" })[]): void => {
    if ((guard.after === 0n && !guard.start) || (guard.before === 0n && !guard.end)) return;
    if (node.kind === "read") edges.push({ to: node.state, ...guard });
    else if (node.kind === "match") edges.push({ to: -1, ...guard });
    else if (node.kind === "guard") for (const out of node.outs) go(out, both(guard, node.guard), passed);
    else if (node.kind === "split") for (const out of node.outs) go(out, guard, passed);
    else if (!passed.includes(node)) {
      // A turn that reads nothing is none; but with a turn of this loop those inside it begin anew.
      const outer = [...passed.filter(({ depth }) => depth < node.depth), node];
      for (const out of node.outs) go(out, guard, out === node.outs.at(-1) ? [...passed, node] : outer);
    }
  };
  for (const node of from) go(node, { after: all, before: all, start: true, end: true }, []);
  return edges;
}

const both = (a: Guard, b: Guard): Guard => ({
  after: a.after & b.after,
  before: a.before & b.before,
  start: a.start && b.start,
  end: a.end && b.end,
});
