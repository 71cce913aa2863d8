import type { Invocation } from "../../facts.ts";
import { windowsPath } from "../windows-path.ts";
import { limits } from "../limits.ts";
import { lookup } from "../programs/table.ts";
import { Exhausted, invocation, type Machine } from "../run/machine.ts";
import { NETWORK } from "../taint.ts";
import { concat, EMPTY, type Field, field, literal, unknown, type Val } from "../value.ts";
import { assigns, keep } from "./assign.ts";
import { bind, block, codeOf, isBlock } from "./blocks.ts";
import { aliases, parameter } from "./cmdlets.ts";
import { effects } from "./effects.ts";
import { fromShare, jobOf, type WindowsJob } from "./job.ts";
import { runText } from "./start.ts";
import { flat, listOf } from "./lists.ts";
import { isTable, memberOf, membersOf } from "./tables.ts";
import { type Piece, pieces } from "./tokens.ts";
import { argumentsOf, evaluate, variable } from "./values.ts";

/** Runs PowerShell source abstractly. */
export function powershell(m: Machine, source: string): Val {
  const before = m.dialect;
  m.dialect = "powershell";
  m.work(source.length * 4);
  const list = pieces(source);
  if (list.at(-1)?.open) m.gap("parse_error", "a quote, bracket or block is not closed");
  const printed = m.within(undefined, () => statements(m, list));
  m.dialect = before;
  return printed;
}

function statements(m: Machine, list: readonly Piece[]): Val {
  let printed: Val = EMPTY;
  let from = 0;
  for (let i = 0; i <= list.length; i++) {
    if (i < list.length && list[i]!.kind !== "end") continue;
    if (i > from) printed = concat(printed, statement(m, list.slice(from, i)));
    from = i + 1;
  }
  return printed;
}

const run = (m: Machine) => (source: string) => powershell(m, source);
const keywords =
  /^(if|elseif|else|while|do|for|foreach|switch|try|catch|finally|function|filter|param|begin|process|end|trap|until|in|return|throw|using|class)$/i;

const endless = /^\s*(1|\$true|;\s*;)\s*$/i;
/** Whether a program was started since then. */
const starts = (m: Machine, since: number): boolean =>
  m.subjects.slice(since).some(s => s.kind === "run" && /^(start-process|start-job|start)$/.test(s.program));

function statement(m: Machine, list: readonly Piece[]): Val {
  m.step();
  // `[CmdletBinding()] param(…)`: an attribute says nothing.
  const parameters = list.findIndex(p => p.kind === "word" && /^param$/i.test(p.text));
  if (parameters > 0 && list.slice(0, parameters).every(p => p.kind === "index")) list = list.slice(parameters);
  const [typed, target] = list;
  if (typed!.kind === "index" && target?.kind === "variable" && list[2]?.text === "=") list = list.slice(1);
  const first = list[0]!;
  if (first.kind === "variable" && assigns(m, list, of => pipeline(m, of))) return EMPTY;
  if (first.kind === "variable" && /^\.(add|set_item)$/i.test(list[1]?.text ?? "") && list[2]?.kind === "group") {
    const [key, value] = argumentsOf(m, list[2]!, run(m));
    if (key && value && keep(m, first.text.toLowerCase(), key.text, value)) return EMPTY;
  }
  if (first.kind === "word" && keywords.test(first.text)) {
    if (first.text.toLowerCase() === "return") return list.length > 1 ? pipeline(m, list.slice(1)) : EMPTY;
    const keyword = first.text.toLowerCase();
    if (keyword === "param") {
      defaults(m, list[1]);
      return list.length > 2 ? statement(m, list.slice(2)) : EMPTY;
    }
    if (keyword === "foreach") iterated(m, list[1]);
    if (keyword === "function" || keyword === "filter") defined(m, list);
    const before = m.subjects.length;
    if (keyword === "switch") return cases(m, list);
    const made: Val[] = [];
    for (const p of list) {
      if (p.kind === "group") powershell(m, p.text);
      if (p.kind === "block") made.push(powershell(m, p.text));
    }
    if (/^(while|for)$/.test(keyword) && endless.test(list[1]?.text ?? "") && starts(m, before))
      m.bare("fork-bomb", m.span(first.at, first.at + keyword.length));
    return /^(function|filter|class)$/.test(keyword) ? EMPTY : either(made);
  }
  return pipeline(m, list);
}

/** What one branch or another yields: all of it, as a list. */
const either = (made: readonly Val[]): Val => {
  const some = made.filter(val => val.text !== "");
  return some.length > 0 ? listOf(some) : EMPTY;
};

/** `switch (x) { a { … } default { … } }`: every case may be the one. */
function cases(m: Machine, list: readonly Piece[]): Val {
  const body = list.findLast(p => p.kind === "block");
  for (const p of list) if (p.kind === "group") powershell(m, p.text);
  const blocks = body ? pieces(body.text).filter(p => p.kind === "block") : [];
  return either(blocks.map(p => powershell(m, p.text)));
}

/** `function name($a) { … }`: kept until it is called. */
function defined(m: Machine, list: readonly Piece[]): void {
  const [, name, group] = list;
  const body = list.find(p => p.kind === "block");
  if (name?.kind !== "word" || !body) return;
  const before = group?.kind === "group" ? `param(${group.text});` : "";
  m.state.set(`function:${name.text.toLowerCase()}`, block(before + body.text));
}

/** `param($a, $b = 1)`: what was not given has its default. */
function defaults(m: Machine, group: Piece | undefined): void {
  if (group?.kind !== "group") return;
  const list = pieces(group.text);
  for (const [i, p] of list.entries()) {
    const name = p.text.toLowerCase();
    if (p.kind !== "variable" || list[i + 1]?.text !== "=" || m.state.vars?.get(name)) continue;
    const end = list.findIndex((q, at) => at > i && q.kind === "mark" && q.text === ",");
    m.state.set(name, evaluate(m, list.slice(i + 2, end < 0 ? list.length : end), run(m)));
  }
}

/** Runs a block with what it is called with. */
function ran(m: Machine, code: string, given: readonly Field[], input: Val | undefined): Val {
  bind(m, code, given, input);
  return powershell(m, code);
}

/** `foreach ($x in …)`: the variable holds what the expression yields. */
function iterated(m: Machine, group: Piece | undefined): void {
  if (group?.kind !== "group") return;
  const [name, within, ...over] = pieces(group.text);
  if (name?.kind === "variable" && /^in$/i.test(within?.text ?? ""))
    m.state.set(name.text.toLowerCase(), pipeline(m, over));
}

function pipeline(m: Machine, list: readonly Piece[]): Val {
  let input: Val | undefined;
  let from = 0;
  for (let i = 0; i <= list.length; i++) {
    if (i < list.length && !(list[i]!.kind === "mark" && list[i]!.text === "|")) continue;
    if (i > from) input = redirected(m, list.slice(from, i), input);
    from = i + 1;
  }
  return input ?? EMPTY;
}

/** `cmd > file`, `2>> file`, `*> file`; `2>&1` and `> $null` lead nowhere. */
function redirected(m: Machine, list: readonly Piece[], input: Val | undefined): Val {
  const rest: Piece[] = [];
  const targets: Piece[][] = [];
  for (let i = 0; i < list.length; ) {
    const p = list[i]!;
    if (!isRedirect(p)) {
      rest.push(p);
      i++;
      continue;
    }
    if (p.joined && /^[\d*]$/.test(rest.at(-1)?.text ?? "")) rest.pop();
    while (i < list.length && isRedirect(list[i]!)) i++;
    const from = i++;
    while (list[i]?.joined) i++;
    targets.push(list.slice(from, i));
  }
  let printed = element(m, rest, input);
  for (const target of targets.reverse()) printed = written(m, target, printed);
  return printed;
}

const isRedirect = (p: Piece): boolean => p.kind === "mark" && p.text === ">";

/** Leaves what was printed in a file; what goes on is printed still. */
function written(m: Machine, target: readonly Piece[], printed: Val): Val {
  m.step();
  if (target.length === 0 || target[0]!.text === "&") return printed;
  const name = evaluate(m, target, run(m));
  if (name.text === "") return EMPTY;
  const span = m.span(target[0]!.at, target[0]!.at + target[0]!.text.length);
  const path = m.place(windowsPath(name.text));
  const of = m.subjects.length > 0 ? m.subjects.length - 1 : m.bare(">", span);
  m.file(of, "write", { text: path, known: name.known, span });
  m.files.set(path, printed);
  return EMPTY;
}

/** Groups pieces that touch into arguments. */
function words(list: readonly Piece[]): Piece[][] {
  const out: Piece[][] = [];
  for (const p of list) {
    const last = out.at(-1);
    const comma = p.text === "," || last?.at(-1)?.text === ",";
    const before = last?.at(-1);
    const sum =
      p.text === "+" ? p.kind === "mark" && before?.kind !== "word" : before?.text === "+" && last!.length > 1;
    const called =
      out.length === 1 && last?.length === 1 && last[0]!.kind === "word" && (p.kind === "group" || p.kind === "block");
    if (last && !called && (p.joined || comma || sum)) last.push(p);
    else out.push([p]);
  }
  return out;
}

function element(m: Machine, list: readonly Piece[], input: Val | undefined): Val {
  const [first, second] = list;
  if (!first) return input ?? EMPTY;
  const calls = first.kind === "mark" && (first.text === "&" || first.text === ".");
  const dots = first.kind === "word" && first.text === "." && second !== undefined;
  if (calls || dots) return called(m, words(list.slice(1)), input);
  if (first.kind !== "word" || /^(\d|-\d|-[ci]?(join|split)$)/i.test(first.text)) return evaluate(m, list, run(m));
  return called(m, words(list), input);
}

/** A command: its name may be any expression after `&`. */
function called(m: Machine, args: readonly Piece[][], input: Val | undefined): Val {
  const head = args[0];
  if (!head) return EMPTY;
  const span = m.span(head[0]!.at, head.at(-1)!.at + head.at(-1)!.text.length);
  const name = flat(evaluate(m, head, run(m)));
  const rest = args.slice(1).flatMap(a => {
    const at = m.span(a[0]!.at, a.at(-1)!.at + a.at(-1)!.text.length);
    const table = a.length === 1 && a[0]!.kind === "word" ? /^@(\w+)$/.exec(a[0]!.text)?.[1] : undefined;
    return (table === undefined ? [evaluate(m, a, run(m))] : splatted(m, table)).map(val => field(flat(val), at));
  });
  if (isBlock(name) && name.known) return m.based(span, () => ran(m, codeOf(name).text, rest, input));
  if (!name.known) return hidden(m, name, rest, input, span);
  if (name.taint !== 0) m.flow(m.bare(name.text.slice(0, 80), span), name, "shell");
  return invoked(m, name.text, rest, input, span);
}

/** A command whose name cannot be told: what it is given may still say what it does. */
function hidden(m: Machine, name: Val, rest: readonly Field[], input: Val | undefined, span: [number, number]): Val {
  const of = m.bare(name.text.slice(0, 80), span);
  m.gap("unresolved_program", name.text.slice(0, 80), span);
  m.flow(of, name, "shell");
  for (const val of [...rest, ...(input ? [input] : [])]) if (val.taint & NETWORK) m.flow(of, val, "shell");
  if (rest.some(f => /^-rec?u?r?s?e?$/i.test(f.text)) && rest.some(f => /^-fo/i.test(f.text)))
    return invoked(m, "remove-item", rest, input, span);
  return unknown();
}

/** `@name`: the parameters a table holds, `-Name:value` each, or the operands of a list. */
function splatted(m: Machine, name: string): Val[] {
  const held = variable(m, name);
  if (!isTable(held))
    return flat(held)
      .text.split(" ")
      .map(text => ({ ...held, text }));
  return [...membersOf(m, held.text).values()].flatMap(({ key, value }) => {
    const given = evaluate(m, value, run(m));
    // A switch is given or left out.
    if (given.text === "False") return [];
    return [given.text === "True" ? literal(`-${key}`) : concat(literal(`-${key}:`), given)];
  });
}

/** Runs a command whose words are known. */
export function invoked(
  m: Machine,
  name: string,
  rest: readonly Field[],
  input: Val | undefined,
  span: [number, number],
): Val {
  const lower = name
    .toLowerCase()
    .replace(/^.*[\\/]/, "")
    .replace(/\.(exe|cmd|bat|com|ps1)$/, "");
  const program = m.dialect === "powershell" ? longName(m, lower, name) : lower;
  const own = m.dialect === "powershell" ? m.state.vars?.get(`function:${program}`)?.val : undefined;
  if (own) return m.within(program, () => m.based(span, () => ran(m, codeOf(own).text, rest, input)));
  const inv: Invocation = invocation(m, program, span);
  if (/[\\/]/.test(name)) inv.path = m.place(windowsPath(name));
  const held = m.files.size > 0 ? m.files.get(m.place(windowsPath(name))) : undefined;
  if (held) m.flow(m.subjects.length, held, "executed");
  taken(inv, rest, program);
  const job = jobOf(m, inv, rest, taking.test(program) ? pathOf(m, input) : input);
  if (held?.known) scripted(job, name, held);
  if (name.startsWith("\\\\")) fromShare(job, field(literal(name), span));
  return effects(job);
}

/** Commands that take a path from the objects that come in. */
const taking = /^(remove|clear|get|set|copy|move|rename)-(item|content)$/;
const pathOf = (m: Machine, input: Val | undefined): Val | undefined =>
  input && isTable(input)
    ? (["path", "literalpath", "fullname", "pspath"]
        .map(name => memberOf(m, input, name, list => evaluate(m, list, run(m))))
        .find(found => found !== undefined) ?? input)
    : input;

/** A script this very text has written. */
function scripted(job: WindowsJob, name: string, held: Val): void {
  const dialect = /\.(bat|cmd)$/i.test(name) ? "cmd" : /\.ps1$/i.test(name) ? "powershell" : undefined;
  if (dialect) runText(job, field(held, job.inv.span!), dialect);
}

/** `sc` is an alias, `sc.exe` a program. */
function longName(m: Machine, lower: string, name: string): string {
  if (name.length !== lower.length) return lower;
  let meant = lower;
  for (let i = 0; i < 16; i++) {
    const own = m.state.vars?.get(`alias:${meant}`)?.val.text;
    if (own === undefined) break;
    meant = own.toLowerCase();
  }
  return aliases.get(meant) ?? meant;
}

const dashed = /^(--?[A-Za-z][\w-]*)(?:[:=](.*))?$/s;
const slashed = /^(\/[A-Za-z?][\w-]*)(?::(.*))?$/s;

/** Parameters and operands: `-Name value`, `-Name:value`, `/switch` of a program that is no cmdlet. */
function taken(inv: Invocation, rest: readonly Field[], program: string): void {
  const sub = lookup(program).row.sub ?? 0;
  const cmdlet = inv.dialect === "powershell" && program.includes("-");
  const parted = (text: string) =>
    dashed.exec(text) ?? (cmdlet && !/^\/[sqf]$/i.test(text) ? null : slashed.exec(text));
  for (let i = 0; i < rest.length; i++) {
    const f = rest[i]!;
    const flag = parted(f.text);
    if (!flag) {
      if (inv.subcommands.length < sub) inv.subcommands.push(f.text.toLowerCase());
      else inv.args.push(codeOf(f));
      continue;
    }
    const next = rest[i + 1];
    const value =
      flag[2] !== undefined ? { ...f, text: flag[2] } : next && !parted(next.text) ? codeOf(next) : undefined;
    const name = parameter(flag[1]!, program);
    inv.flags.push(value ? { name, value, span: f.span } : { name, span: f.span });
  }
  if (inv.flags.length > limits.options) throw new Exhausted("too_many_steps");
}
