import type { FileAct, Flag, Invocation } from "../../facts.ts";
import type { Io, Machine } from "../run/machine.ts";
import type { Field, Val } from "../value.ts";
import type { Spec } from "./args.ts";

/** One invocation while its effects are worked out. */
export interface Job {
  m: Machine;
  /** Index of the invocation among the subjects. */
  of: number;
  inv: Invocation;
  row: Whole;
  spec: Spec;
  argv: Field[];
  /** Operands after the subcommands, with taint. */
  operands: Field[];
  /** Where in `argv` a wrapped command begins. */
  rest: number;
  io: Io;
  /** What code given by an option prints. */
  shown: Val | undefined;
}

/** Works out what a program does; the result is what it prints. `undefined`: nothing known about its output. */
export type Handler = (job: Job) => Val | undefined;

/** What a program does with its words. Absent members mean "nothing known", which never earns trust. */
export interface Row {
  /** Flags that take a value, space-separated: `-o --output`. When given, all other flags take none. */
  valued?: string;
  /** Flags taking values in one subcommand. */
  subs?: Record<string, string>;
  /** Long options begin with one dash (`find -name`, `java -jar`, `terraform -chdir`). */
  single?: boolean;
  /** Its options end at its first operand, as POSIX.1-2024 XBD 12.2 has it: what stands behind is another's. */
  ordered?: boolean;
  /** How many operands are subcommands. */
  sub?: number;
  /** Subcommands that take one more (`docker compose up`). */
  deep?: string;
  /** Subcommands that run all words behind so many operands: `docker exec web rm -f x`. */
  within?: Record<string, number>;
  /** What happens to the files named as operands; `last` differs for the last one (`cp`). */
  operands?: FileAct;
  last?: FileAct;
  /** What happens to the file a flag names. */
  files?: Record<string, FileAct>;
  /** Flags whose value is code, and its language (`-c`: `python`); `@python`: names a file of such code. */
  runs?: Record<string, string>;
  /** The first operand is code in this language (awk, sed). Not when one of the `runs` flags gave it. */
  code?: string;
  /** Runs its operands as a command, after so many of its own. */
  wraps?: number;
  /** Language it reads from standard input or a terminal when it has neither code nor operands. */
  repl?: string;
  /** Opens a session when started with nothing to do; its handler says when. */
  session?: boolean;
  /** Can be made to start a shell. Implied by `runs`, `code` and `wraps`. */
  spawner?: boolean;
  run?: Handler;
}

/** A row with all its members. As all are of one shape, reading one costs a load and not a search. */
export type Whole = { [K in keyof Required<Row>]: Row[K] };

export const whole = (row: Row): Whole => ({
  valued: row.valued,
  subs: row.subs,
  single: row.single,
  ordered: row.ordered,
  sub: row.sub,
  deep: row.deep,
  within: row.within,
  operands: row.operands,
  last: row.last,
  files: row.files,
  runs: row.runs,
  code: row.code,
  wraps: row.wraps,
  repl: row.repl,
  session: row.session,
  spawner: row.spawner,
  run: row.run,
});

/** The row of every program the tables do not know. */
export const UNLISTED: Whole = whole({});

/** The first of the flags that has one of up to six names. A list of names would be made anew by each question. */
export function flagOf(job: Job, a: string, b = a, c = a, d = a, e = a, f = a): Flag | undefined {
  const { flags } = job.inv;
  for (let i = 0; i < flags.length; i++) if (isOne(flags[i]!.name, a, b, c, d, e, f)) return flags[i];
  return undefined;
}

const isOne = (name: string, a: string, b: string, c: string, d: string, e: string, f: string): boolean =>
  name === a || name === b || name === c || name === d || name === e || name === f;

export const hasFlag = (job: Job, a: string, b = a, c = a, d = a, e = a, f = a): boolean =>
  flagOf(job, a, b, c, d, e, f) !== undefined;

export const flagValue = (job: Job, a: string, b = a, c = a, d = a, e = a, f = a): Field | undefined =>
  flagOf(job, a, b, c, d, e, f)?.value as Field | undefined;

const none: readonly Field[] = [];

export function flagValues(job: Job, a: string, b = a, c = a, d = a, e = a, f = a): readonly Field[] {
  const { flags } = job.inv;
  let out: Field[] | undefined;
  for (let i = 0; i < flags.length; i++) {
    const { name, value } = flags[i]!;
    if (value !== undefined && isOne(name, a, b, c, d, e, f)) (out ??= []).push(value as Field);
  }
  return out ?? none;
}
