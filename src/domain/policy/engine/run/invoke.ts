/** One command whose words are known, to what runs it; and names that are unknown, globs or look like others. */
import { lookalike } from "../fold/lookalike.ts";
import { writtenHere } from "./files.ts";
import { matches } from "../fold/pattern.ts";
import { baseName } from "../paths.ts";
import { readArgs, type Spec } from "../programs/args.ts";
import { commandIn } from "../programs/passed-on.ts";
import { effects } from "../programs/effects.ts";
import { calledHere, isListed, listed, lookup, unlisted } from "../programs/table.ts";
import type { Job } from "../programs/row.ts";
import { NETWORK, UNKNOWN } from "../taint.ts";
import { bareText, EMPTY, type Field, merged, unknown, type Val } from "../value.ts";
import { setVariable } from "../unwrap/environment.ts";
import { runFile } from "./files.ts";
import { callFunction } from "./functions.ts";
import { limits } from "../limits.ts";
import { Exhausted, type Io, invocation, type Machine } from "./machine.ts";

/** Runs one command whose words are known: a function, a builtin, a file written before, a program of the table. */
export function invoke(m: Machine, argv: readonly Field[], io: Io): Val {
  m.step();
  m.work(argv.length * 16);
  const head = argv[0];
  if (!head) return EMPTY;
  if (head.glob) return globbed(m, argv, io);
  if (!head.known) return unresolved(m, argv, io);
  const { text } = head;
  const s = listed(text);
  const slash = s ? -1 : text.lastIndexOf("/");
  // The shell itself.
  if (slash >= 0 && text === "/proc/self/exe") return program(m, "bash", argv, io);
  // A pattern that a variable held: `c=(/bin/r?); "$c"`.
  if (slash >= 0 && slash < text.length - 2 && pattern.test(text)) return globbed(m, argv, io);
  if (slash >= 0 && text.charCodeAt(0) === 33) return typed(m, argv, io);
  if (slash < 0) {
    const fn = m.state.functions?.get(text);
    if (fn) return callFunction(m, fn, argv, io);
  }
  if (s?.traits.builtin) return s.traits.builtin(m, argv, io);
  const meant = s ? undefined : lookalike(text);
  if (meant && meant.length > 0) return disguised(m, meant, argv, io);
  if (head.taint !== 0) named(m, argv, io);
  const held = m.files.size + m.trees.size > 0 ? runFile(m, argv, io) : undefined;
  return held ?? (slash < 0 ? run(m, text, s, argv, io) : program(m, text.slice(slash + 1), argv, io));
}

/** A name in letters that look like others: judged as what a reader takes it for, and never quite understood. */
function disguised(m: Machine, meant: readonly string[], argv: readonly Field[], io: Io): Val {
  const head = argv[0]!;
  m.gap("hidden_unicode", `${head.text.slice(0, 80)} looks like ${meant.join(" ")}`, head.span);
  return invoke(m, [...meant.map(text => ({ ...head, text })), ...argv.slice(1)], io);
}

/** `!/bin/sh` on a line of its own is meant for the program started on the line before. */
function typed(m: Machine, argv: readonly Field[], io: Io): Val {
  m.spawned = true;
  const printed = program(m, baseName(argv[0]!.text), argv, io);
  m.spawned = false;
  return printed;
}

/** A program that is not part of the shell. */
export const program = (m: Machine, name: string, argv: readonly Field[], io: Io): Val =>
  run(m, name, listed(name), argv, io);

function run(m: Machine, name: string, s: Spec | undefined, argv: readonly Field[], io: Io): Val {
  if (s) return effects(jobFor(m, name, argv, io, s));
  const called = calledHere(name);
  return effects(jobFor(m, called, argv, io, called === name ? unlisted : lookup(called)));
}

/** Until the words are read. */
const unread: never[] = [];

export function jobFor(m: Machine, name: string, argv: readonly Field[], io: Io, s: Spec = lookup(name)): Job {
  const head = argv[0]!;
  const end = argv.length > 1 && m.base === undefined ? argv[argv.length - 1]!.span[1] : head.span[1];
  const inv = invocation(m, name, [head.span[0], end], unread);
  if (head.text !== name && head.text.includes("/")) inv.path = head.text;
  const { operands, rest } = readArgs(argv as Field[], s, inv);
  if (inv.flags.length > limits.options) throw new Exhausted("too_many_steps");
  const of = m.subject(inv);
  if (m.environment) takeEnvironment(m, of);
  return { m, of, inv, row: s.row, spec: s, argv: argv as Field[], operands, rest, io, shown: undefined };
}

function takeEnvironment(m: Machine, of: number): void {
  const made = m.environment!;
  m.environment = undefined;
  for (const [name, value] of made) setVariable(m, of, name, value);
}

/** The program's name came out of tainted data. */
function named(m: Machine, argv: readonly Field[], io: Io): void {
  const of = m.bare(argv[0]!.text, argv[0]!.span);
  m.flow(of, argv[0]!, "shell");
  if (io.socket) m.wired(of, io.socket);
}

/** The word that names the program could not be resolved. What is left of it may still name one. */
function unresolved(m: Machine, argv: readonly Field[], io: Io): Val {
  const head = argv[0]!;
  m.gap("unresolved_program", head.text.slice(0, 80), head.span);
  const of = m.bare(head.text.slice(0, 80), head.span);
  const { taint, origin } = merged(argv);
  m.flow(of, { ...head, taint: head.taint | (taint & NETWORK), origin: head.origin ?? origin }, "shell");
  const host = io.socket ?? ([...(m.state.sockets?.values() ?? [])][0] as Field | undefined);
  if (host && (head.taint & NETWORK) !== 0) m.wired(of, host);
  const bare = bareText(head);
  if (bare !== "" && isListed(bare))
    return invoke(m, [{ ...head, text: bare, known: true, taint: 0 }, ...argv.slice(1)], io);
  // `$SUDO rm -rf /`: whatever stands there, it may well start what follows.
  const at = commandIn(argv);
  if (at > 0) m.within(head.text.slice(0, 80), () => invoke(m, argv.slice(at), io));
  return unknown(UNKNOWN | taint, origin);
}

const pattern = /[*?]|^[^[]*\[.+\]/s;
const directories = ["/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/"];
const MAX_CANDIDATES = 6;
/** Names a glob is most likely meant to hide, tried before the rest of the table. */
const likely =
  "rm cat sh bash nc curl wget dd chmod chown mv cp ln ssh scp python3 perl ruby node base64 find tee mkfs kill sudo eval mkfs.ext4 mkfs.xfs wipefs shutdown reboot".split(
    " ",
  );

const placed = (path: string): boolean => directories.some(directory => matches(path, directory));
const standIns = (base: string): string[] => likely.filter(name => matches(base, name));

/** `/???/r?`: every program the pattern can stand for runs. */
function globbed(m: Machine, argv: readonly Field[], io: Io): Val {
  const head = argv[0]!;
  const slash = head.text.lastIndexOf("/");
  const written = writtenHere(m, head.text);
  if (written !== undefined) return invoke(m, [{ ...head, text: written, glob: false }, ...argv.slice(1)], io);
  const directory = slash < 0 ? "" : `${m.place(head.text.slice(0, slash) || "/")}/`;
  const base = head.text.slice(slash + 1);
  const names = slash < 0 || placed(directory) ? (pattern.test(base) ? standIns(base) : [base]) : [];
  if (names.length === 0) {
    m.gap("unresolved_program", head.text.slice(0, 80), head.span);
    m.bare(head.text.slice(0, 80), head.span);
    return unknown();
  }
  let printed: Val = EMPTY;
  for (const name of names.slice(0, MAX_CANDIDATES)) {
    printed = invoke(m, [{ ...head, text: name, glob: false }, ...argv.slice(1)], io);
  }
  return printed;
}
