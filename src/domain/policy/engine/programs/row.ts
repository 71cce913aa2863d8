import type { FileAct, Flag, Invocation } from "../../facts.ts";
import type { Io, Machine } from "../run/machine.ts";
import type { Field, Val } from "../value.ts";

/** One invocation while its effects are worked out. */
export interface Job {
  m: Machine;
  /** Index of the invocation among the subjects. */
  of: number;
  inv: Invocation;
  row: Row;
  argv: Field[];
  /** Operands after the subcommands, with taint. */
  operands: Field[];
  /** Where in `argv` a wrapped command begins. */
  rest: number;
  io: Io;
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
  /** How many operands are subcommands. */
  sub?: number;
  /** Subcommands that take one more (`docker compose up`). */
  deep?: string;
  /** What happens to the files named as operands; `last` differs for the last one (`cp`). */
  operands?: FileAct;
  last?: FileAct;
  /** What happens to the file a flag names. */
  files?: Record<string, FileAct>;
  /** Flags whose value is code, and its language (`-c`: `python`). */
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

/** The row of every program the tables do not know. */
export const UNLISTED: Row = {};

export function flagOf(job: Job, ...names: string[]): Flag | undefined {
  for (const f of job.inv.flags) if (names.includes(f.name)) return f;
  return undefined;
}

export const hasFlag = (job: Job, ...names: string[]): boolean => flagOf(job, ...names) !== undefined;

export const flagValue = (job: Job, ...names: string[]): Field | undefined =>
  flagOf(job, ...names)?.value as Field | undefined;

export function flagValues(job: Job, ...names: string[]): Field[] {
  const out: Field[] = [];
  for (const f of job.inv.flags) if (f.value && names.includes(f.name)) out.push(f.value as Field);
  return out;
}
