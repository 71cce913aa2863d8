/** Files this very command writes or brings, run by their name or by a pattern; copies of programs. */
import { DECODED, NETWORK, SECRET, WRITTEN } from "../taint.ts";
import { type Field, literal, type Val } from "../value.ts";
import { matches } from "../fold/pattern.ts";
import { baseName } from "../paths.ts";
import { counted } from "./functions.ts";
import { invoke, jobFor } from "./invoke.ts";
import type { Io, Machine } from "./machine.ts";
import { fromTree } from "./trees.ts";
import { runCode, runText } from "../unwrap/text.ts";
import { effects } from "../programs/effects.ts";
import { isListed, lookup } from "../programs/table.ts";

const shebang = /^#!\s*(\S+)(?:\s+(.*))?/;

/** A program that this very command wrote or downloaded is run by its name. */
export function runFile(m: Machine, argv: readonly Field[], io: Io): Val | undefined {
  const head = argv[0]!;
  const path = head.text.includes("/") ? m.place(head.text) : inSearchPath(m, head.text);
  const held = path === undefined ? undefined : (m.files.get(path) ?? fromTree(m, path));
  if (!held) return undefined;
  const job = jobFor(m, baseName(head.text), argv, io);
  executed(m, job.of, held, path!, head);
  if (!held.known) return effects(job);
  return counted(m, path!, argv, () => m.based(head.span, () => runContents(m, held, argv, io, head.text)));
}

/** `PATH=./bin:$PATH ls`: the program of that name which this very command wrote. Of what it only brought nothing is told. */
function inSearchPath(m: Machine, name: string): string | undefined {
  if (!isWritten(m, name)) return undefined;
  for (const directory of m.state.get("PATH")?.text.split(":") ?? []) {
    const path = m.place(`${directory || "."}/${name}`);
    if (m.files.get(path)?.known) return path;
  }
  return undefined;
}

function isWritten(m: Machine, name: string): boolean {
  for (const path of m.files.keys()) if (path.endsWith(name)) return true;
  return false;
}

/** The first file written by this very command that a pattern stands for. */
export function writtenHere(m: Machine, pattern: string): string | undefined {
  if (m.files.size === 0 || !/[*?[]/.test(pattern)) return undefined;
  const wanted = m.place(pattern);
  const depth = wanted.split("/").length;
  for (const path of m.files.keys()) if (path.split("/").length === depth && matches(wanted, path)) return path;
  return undefined;
}

/** Flows of a file's contents into execution. */
export function executed(m: Machine, of: number, held: Val, path: string, named: Field): void {
  const at = { path: { text: path, known: named.known, span: named.span }, ...held.origin };
  const taint = held.known ? held.taint & (NETWORK | DECODED) : held.taint | WRITTEN;
  m.flow(of, { ...held, taint: taint & ~SECRET, origin: at }, "executed");
}

/** Runs the text of a file: by its `#!` line when it has one, else as shell. */
function runContents(m: Machine, held: Val, argv: readonly Field[], io: Io, name: string): Val {
  const found = shebang.exec(held.text);
  const interpreter = found ? baseName(found[1]!) : "sh";
  const program =
    interpreter === "env" ? (found?.[2]?.split(/\s+/).find(w => !w.startsWith("-")) ?? "sh") : interpreter;
  if (isShell(program)) return m.subshell(() => runText(m, held, name, io, argv));
  if (found && isListed(program) && !interprets(program)) {
    const words = [found[1]!, ...(found[2]?.split(/\s+/) ?? [])].map(text => ({ ...argv[0]!, text }));
    return invoke(m, [...words, ...argv], io);
  }
  return runCode(m, program, held, name, io);
}

const binaries = /^(?:\/usr(?:\/local)?)?\/s?bin\/([^/]+)$/;

/** A copy of a program or a link to it, whatever its name: a script that starts it would do the same. */
export function programAt(path: string): Val | undefined {
  const name = binaries.exec(path)?.[1];
  if (name === undefined || !(isListed(name) || /[*?[]/.test(name))) return undefined;
  return literal(`exec ${path} "$@"`);
}

/** `#!/bin/rm -rf`: a program that reads no code gets the file as one more operand. */
function interprets(name: string): boolean {
  const { row } = lookup(name);
  return row.repl !== undefined || row.code !== undefined || row.runs !== undefined;
}

const shells = new Set("sh bash dash zsh ksh mksh ash fish csh tcsh rbash busybox".split(" "));
export const isShell = (name: string): boolean => shells.has(name);
