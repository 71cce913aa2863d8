import {
  type Dialect,
  type Fact,
  type FileAct,
  type FileFact,
  type FlowFact,
  type FlowSink,
  type Gap,
  hole,
  type Invocation,
  type Span,
  type Subject,
  type Word,
} from "../../facts.ts";
import type { Function as FunctionNode } from "unbash";
import type { World } from "../../verdict.ts";
import { limits } from "../limits.ts";
import { type Places, placesOf } from "../paths.ts";
import { SECRET, SHELL, sources, UNKNOWN } from "../taint.ts";
import { bareText, type Field, type Origin, type Val, word } from "../value.ts";
import type { Answer } from "./condition.ts";
import type { Target } from "./redirect.ts";
import { State } from "./state.ts";

/** As many links as the kernel follows (MAXSYMLINKS). */
const linksMax = 40;

/** Thrown inside the engine when a bound is passed; `findings` turns it into a gap. */
export class Exhausted extends Error {
  readonly why: "too_deep" | "too_many_steps";
  constructor(why: "too_deep" | "too_many_steps") {
    super(why);
    this.why = why;
  }
}

/** What a command reads: text that is consumed line by line. `undefined` means the terminal. */
export interface Input {
  val: Val;
  /** Characters already taken by `read`. */
  at: number;
}

/** Functions and aliases: which run, and how deep. */
export class Calls {
  /** Functions defined but not (yet) called. */
  readonly uncalled = new Map<string, FunctionNode>();
  readonly aliases = new Set<string>();
  readonly depth = new Map<string, number>();
  /** How many words the innermost call was given, by function. */
  readonly words = new Map<string, number>();
  /** Calls refused for recursion, by function. */
  readonly recursed = new Map<string, number>();
}

/** Standard input and what the descriptors of one command are wired to. */
export interface Io {
  input: Input | undefined;
  /** Host of a socket on descriptor 0, 1 or 2. */
  socket: Word | undefined;
}

export const TERMINAL: Io = { input: undefined, socket: undefined };

/** What reads `val` on standard input. */
export const fedBy = (val: Val): Io => ({ input: { val, at: 0 }, socket: undefined });

/** One evaluation: the facts found so far and the state of the abstract shell. */
export class Machine {
  readonly subjects: Subject[] = [];
  readonly facts: Fact[] = [];
  readonly gaps: Gap[] = [];
  readonly places: Places;
  /** Contents of files written by this very command, by normalised path. */
  readonly files = new Map<string, Val>();
  /** Folders filled from elsewhere by this very command (run/trees.ts). */
  readonly trees = new Map<string, Val>();
  /** Symbolic links made by this very command: link → target. */
  readonly links = new Map<string, string>();
  /** Those of `links` that are mounts of the container whose command is read: to remove one is to empty it. */
  mounts: ReadonlySet<string> | undefined;
  /** Files that numbered descriptors lead to: `exec 3> file`. */
  opened: Map<number, Target> | undefined;
  /** What numbered descriptors read: `exec 3< file`. */
  reading: Map<number, Input> | undefined;
  /** Runs the body of the last `coproc`: it reads what is written to its descriptor, which comes later. */
  coprocess: ((io: Io) => Val) | undefined;
  /** Named pipes made by this very command. */
  pipes: Set<string> | undefined;
  /** What the condition met last answered, where that can be told. */
  answer: Answer;
  /** A named pipe was read before anything was written to it: whoever writes comes later. */
  readEarly = false;
  /** Made when the first function or alias is met: few commands have one. */
  calls: Calls | undefined;
  readonly world: World;
  state: State;
  dialect: Dialect = "posix";
  via: string[] = [];
  /** Inside text that is not the command itself (decoded, in quotes) every span is that of the word it came from. */
  base: Span | undefined;
  /** Host of a socket made by PowerShell: code that runs beside it is wired to it. */
  socketHost: Word | undefined;
  /** A file was written whose contents start an interactive shell. */
  planted = false;
  /** Span of the invocation made last: where text that has no place of its own is shown. */
  at: Span | undefined;
  /** The words behind the code that is being read: `sys.argv`. */
  given: readonly Field[] = [];
  /** A program that is no shell is running what follows (`find -exec`, `vim -c '!…'`). */
  spawned = false;
  /** `trap text EXIT`: run once more when everything has been run. */
  traps: Field[] | undefined;
  /** Of branches that print, the one whose output counts; undefined: all of them. */
  choice: number | undefined;
  /** How many branches printed something of which only one is printed: `$(if x; then echo a; else echo b; fi)`. */
  branched = 0;
  /** What the running command reads: `$(cat)` among its words reads the same. */
  stdin: Input | undefined;
  /** The last word of the command before: `$_`. */
  last: Val | undefined;
  /** What the running command prints, for `tee >(…)`. */
  feeding: Val | undefined;
  /** `X=1` before the running command; taken by the first subject it makes. */
  environment: [string, Field][] | undefined;
  /** The taint of the holes in the text that is being run; undefined when it has none. */
  holed: { taint: number; origin: Origin | undefined } | undefined;
  steps = 0;
  worked = 0;
  depth = 0;

  constructor(world: World) {
    this.world = world;
    this.places = placesOf(world);
    this.state = new State(world);
  }

  /** Characters of known text that were looked through to fold them. */
  work(chars: number): void {
    this.worked += chars;
    if (this.worked > limits.work) throw new Exhausted("too_many_steps");
  }

  step(cost = 1): void {
    this.steps += cost;
    if (this.steps > limits.steps) throw new Exhausted("too_many_steps");
  }

  span(start: number, end: number): Span {
    return this.base ?? [start | 0, end | 0];
  }

  gap(why: Gap["why"], detail: string, span?: Span): void {
    detail = detail.replaceAll(hole, "…");
    for (const g of this.gaps) if (g.why === why && g.detail === detail) return;
    this.gaps.push(span ? { why, detail, span, via: this.via } : { why, detail, via: this.via });
  }

  subject(inv: Subject): number {
    this.step(2);
    if (inv.kind === "run") this.at = inv.span;
    return this.subjects.push(inv) - 1;
  }

  /** A subject for what no program does: a lone redirect, an assignment. */
  bare(program: string, span: Span): number {
    return this.subject(invocation(this, program, span));
  }

  /** Records one flow for every kind of taint the value carries. */
  flow(of: number, from: Val | Field, to: FlowSink, host?: Word): void {
    const taint = from.taint & (to === "network" ? SECRET | SHELL : ~SHELL);
    if (taint === 0) return;
    const at = host ?? from.origin?.host;
    for (const [bit, source] of sources) {
      if ((taint & bit) === 0) continue;
      const fact: FlowFact =
        bit === SHELL
          ? { kind: "flow", of, from: "network", to: "shell", both: true }
          : { kind: "flow", of, from: source, to };
      if (at) fact.host = at;
      if (from.origin?.path) fact.path = from.origin.path;
      this.facts.push(fact);
    }
  }

  /** Flow of code into something that runs it: unknown parts inside known code are judged where they stand. */
  code(of: number, code: Field, to: FlowSink): void {
    const whole = code.known || bareText(code).trim() === "";
    this.flow(of, whole ? code : { ...code, taint: code.taint & ~UNKNOWN }, to);
  }

  /** Records one access to a file; `path` in canonical form. */
  file(of: number, does: FileAct, path: Word, recursive = false): void {
    this.step();
    const fact: FileFact = { kind: "file", of, does, path, recursive };
    if (path.span) fact.span = path.span;
    this.facts.push(fact);
  }

  /** The directory this runs in. */
  get here(): string {
    return this.state.cwd ?? this.places.start;
  }

  /** The canonical form of a path as it stands in the command. */
  place(text: string): string {
    return this.places.of(text, this.state.cwd);
  }

  /** Where a path leads through links made by this very command; `itself`: also when it is such a link. */
  followed(path: string, itself: boolean): string {
    for (let hops = 0; hops < linksMax; hops++) {
      const found = [...this.links].find(
        ([link]) => path.startsWith(`${link}/`) || (path === link && (itself || this.mounts?.has(link))),
      );
      if (!found) break;
      const [link, target] = found;
      path = this.places.of(`${target === "/" ? "" : target}${path.slice(link.length)}` || "/", undefined);
    }
    return path;
  }

  /** A socket wired to a shell. */
  wired(of: number, host: Word): void {
    this.facts.push({ kind: "flow", of, from: "network", to: "shell", both: true, host: word(host as Field) });
  }

  /** Runs `body` one level deeper, under `name` in the chain of unwrapping. */
  within<T>(name: string | undefined, body: () => T): T {
    if (++this.depth > limits.depth) throw new Exhausted("too_deep");
    const { via } = this;
    if (name !== undefined) this.via = [...via, name];
    try {
      return body();
    } finally {
      this.depth--;
      this.via = via;
    }
  }

  /** Runs `body` with spans fixed to where its text came from. */
  based<T>(span: Span | undefined, body: () => T): T {
    const before = this.base;
    this.base = before ?? span;
    try {
      return body();
    } finally {
      this.base = before;
    }
  }

  /** Runs `body` in a subshell: what it changes in the state is forgotten. */
  subshell<T>(body: () => T): T {
    const before = this.state;
    this.state = before.clone();
    try {
      return body();
    } finally {
      this.state = before;
    }
  }
}

export const invocation = (m: Machine, program: string, span: Span, args: Word[] = []): Invocation => ({
  kind: "run",
  dialect: m.dialect,
  program,
  subcommands: [],
  flags: [],
  args,
  refs: [],
  interactive: false,
  via: m.via,
  span,
});
