import type {
  ArithmeticFor,
  Case,
  CommandNode,
  CompoundList,
  For,
  If,
  Select,
  TestExpression,
  While,
  Word,
} from "unbash";
import { arithmetic, evaluateText, runSubscripts } from "../fold/arithmetic.ts";
import { matches } from "../fold/pattern.ts";
import { expandOne, expandWords } from "../fold/word.ts";
import { NETWORK, UNKNOWN } from "../taint.ts";
import { concat, EMPTY, type Field, field, literal, tainted, type Val } from "../value.ts";
import { runCommand } from "./command.ts";
import { type Answer, comparesNumbers, holds } from "./condition.ts";
import { writtenHere } from "./files.ts";
import { bomb } from "./functions.ts";
import { Calls, type Io, type Machine, TERMINAL } from "./machine.ts";
import { eitherOf } from "./either.ts";
import { applyRedirects, coprocEnds, finishRedirects } from "./redirect.ts";
import { Names } from "./names.ts";
import { runNode, runStatements } from "./script.ts";

/** Of loops that count: what more numbers would bring is the same again. Words and lines are all looked at. */
const MAX_TURNS = 64;
const number = /^-?\d+$/;

type Compound = Exclude<CommandNode, { type: "Command" }> | CompoundList;

export function runCompound(m: Machine, node: Compound, io: Io): Val {
  m.stdin = io.input;
  switch (node.type) {
    case "BraceGroup":
      return runStatements(m, node.body.commands, io);
    case "CompoundList":
      return runStatements(m, node.commands, io);
    case "Subshell":
      return m.subshell(() => runStatements(m, node.body.commands, io));
    case "If":
      return runIf(m, node, io);
    case "For":
    case "Select":
      return runFor(m, node, io);
    case "While":
      return runWhile(m, node, io);
    case "Case":
      return runCase(m, node, io);
    case "Function":
      m.state.functions ??= new Names();
      m.state.functions.set(node.name.value, node);
      (m.calls ??= new Calls()).uncalled.set(node.name.value, node);
      return EMPTY;
    case "Redirected":
      return runRedirected(m, node, io);
    case "Coproc":
      return runCoproc(m, node, io);
    case "TestCommand":
      return test(m, node.expression);
    case "ArithmeticCommand":
      m.answer = node.expression && nonZero(arithmetic(m, node.expression));
      return EMPTY;
    case "ArithmeticFor":
      return runCounted(m, node, io);
  }
}

/** `coproc nc host port`: its two ends are descriptors that the array of its name holds. */
function runCoproc(m: Machine, node: CommandNode & { type: "Coproc" }, io: Io): Val {
  const { body } = node;
  m.coprocess = fed => (body.type === "Command" ? runCommand(m, body, fed) : runCompound(m, body, fed));
  const printed = m.coprocess(io);
  const ends = { "0": literal(String(coprocEnds.reads)), "1": literal(String(coprocEnds.writes)) };
  m.state.setItems(node.name?.value ?? "COPROC", new Map(Object.entries(ends)));
  (m.reading ??= new Map()).set(coprocEnds.reads, { val: printed, at: 0 });
  const host = printed.origin?.host;
  if (!host || (printed.taint & NETWORK) === 0) return EMPTY;
  const end = field({ ...EMPTY, text: host.text, known: host.known }, m.span(node.pos, node.end));
  m.state.sockets = new Map([...(m.state.sockets ?? []), [coprocEnds.reads, end], [coprocEnds.writes, end]]);
  return EMPTY;
}

function runRedirected(m: Machine, node: CommandNode & { type: "Redirected" }, io: Io): Val {
  const span = m.span(node.pos, node.end);
  const redirects = applyRedirects(m, node.redirects, io);
  const { out } = m.state;
  if (redirects.silent) m.state.out = undefined;
  const printed = runCompound(m, node.command, redirects.io);
  m.state.out = out;
  const { files, sockets, reader, coprocess } = redirects;
  if (files.length === 0 && !sockets && !reader && !coprocess) return printed;
  return finishRedirects(m, redirects, m.bare(">", span), printed);
}

/** Every branch runs, each from the same state; afterwards the state is that of the last one that changed anything. */
function branches(m: Machine, bodies: readonly (() => Val)[]): Val {
  const before = m.state;
  const outputs: Val[] = [];
  let after = before;
  for (const body of bodies) {
    m.state = before.clone();
    const printed = body();
    if (printed !== EMPTY) outputs.push(printed);
    after = after === before ? m.state : after.joined(m.state);
  }
  m.state = after;
  return eitherOf(m, outputs);
}

function runIf(m: Machine, node: If, io: Io): Val {
  const asked = runStatements(m, node.clause.commands, io);
  // What a condition prints, when nothing is known about it, is most likely nothing.
  const first = asked.known || (asked.taint & ~UNKNOWN) !== 0 ? asked : EMPTY;
  const bodies = [() => runStatements(m, node.then.commands, io)];
  for (const e of node.elif) {
    bodies.push(() => concat(runStatements(m, e.clause.commands, io), runStatements(m, e.then.commands, io)));
  }
  const otherwise = node.else;
  bodies.push(() => (otherwise ? runStatements(m, otherwise.commands, io) : EMPTY));
  return concat(first, branches(m, bodies));
}

function runFor(m: Machine, node: For | Select, io: Io): Val {
  const fields: readonly Val[] = node.wordlist ? expandWords(m, node.wordlist) : m.state.positional;
  let printed = EMPTY;
  for (const [turn, f] of fields.entries()) {
    if (turn >= MAX_TURNS && f.known && number.test(f.text)) continue;
    const glob = (f as Field).glob;
    const written = glob ? writtenHere(m, f.text) : undefined;
    const known = f.known && (written !== undefined || !(glob && here(m, f.text)));
    m.state.set(node.name.value, tainted(written ?? f.text, known, f.taint, f.origin));
    printed = concat(printed, runStatements(m, node.body.commands, io));
  }
  if (fields.length === 0) {
    return m.subshell(() => runStatements(m, node.body.commands, io));
  }
  return printed;
}

/** A pattern of files of the project: which there are, nobody knows; of the system's and the user's, those that matter. */
const here = (m: Machine, pattern: string): boolean => /^(\$repo|\/tmp)/.test(m.place(pattern));

const nonZero = (n: Val): Answer => (n.known ? n.text !== "0" : undefined);

/** `for ((i = 0; i < 9; i++))`: turns while its condition is known to hold; when that cannot be told, once. */
function runCounted(m: Machine, node: ArithmeticFor, io: Io): Val {
  if (node.initialize) arithmetic(m, node.initialize);
  breeds(m, node);
  let printed = EMPTY;
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const goesOn = node.test && nonZero(arithmetic(m, node.test));
    if (turn > 0 && goesOn !== true) break;
    printed = concat(printed, runStatements(m, node.body.commands, io));
    if (node.update) arithmetic(m, node.update);
  }
  return printed;
}

/** `while true; do cmd & done`: nothing waits, so every turn leaves one more process behind. */
function breeds(m: Machine, node: While | ArithmeticFor): void {
  const { commands } = node.body;
  const endless = node.type === "ArithmeticFor" ? node.test === undefined : always.test(sourceOf(node));
  if (!endless || commands.length === 0 || !commands.every(s => s.background)) return;
  bomb(m, m.span(node.pos, node.end));
}

const always = /^(while|until) (true|:|false|1)$/;

/** `while true`, `until false`: the word of a clause that is one word. */
function sourceOf(node: While): string {
  const [only, more] = node.clause.commands;
  const command = more === undefined && only?.command.type === "Command" ? only.command : undefined;
  return command?.suffix.length === 0 ? `${node.kind} ${command.name?.value}` : "";
}

/** A loop turns while its `read` still finds lines in known input, or its condition is known to hold; any other loop once. */
function runWhile(m: Machine, node: While, io: Io): Val {
  let printed = EMPTY;
  const before = m.steps;
  breeds(m, node);
  for (let turn = 0; ; turn++) {
    const at = io.input?.at ?? 0;
    m.answer = undefined;
    printed = concat(printed, runStatements(m, node.clause.commands, io));
    const goesOn = m.answer === (node.kind === "while");
    if (turn > 0 && m.answer !== undefined && !goesOn) break;
    printed = concat(printed, runStatements(m, node.body.commands, io));
    const { input } = io;
    const reads = input?.val.known && input.at !== at && input.at < input.val.text.length;
    if (!reads && !(goesOn && turn < MAX_TURNS && m.steps - before < MAX_STEPS)) break;
  }
  return printed;
}

/** What a loop without input may cost: `while [ 1 = 1 ]` never ends. */
const MAX_STEPS = 600;

function runCase(m: Machine, node: Case, io: Io): Val {
  const on = expandOne(m, node.word);
  const bodies: (() => Val)[] = [];
  let before: (() => Val) | undefined;
  for (const { pattern, body, terminator } of node.items) {
    const patterns = pattern.map(p => expandOne(m, p));
    const never = on.known && patterns.every(p => p.known && !matches(p.text, on.text));
    const own = () => runStatements(m, body.commands, io);
    const through = before;
    // `;&` and `;;&`: with what the branch above has done, or without.
    const after = through && (() => concat(through(), own()));
    if (after) bodies.push(after);
    if (!never) bodies.push(own);
    before = terminator?.endsWith("&") === true ? (after ?? (never ? undefined : own)) : undefined;
  }
  return branches(m, bodies);
}

/** `[[ … ]]` runs nothing but the substitutions in its words. */
function test(m: Machine, e: TestExpression): Val {
  const words: Word[] = [];
  collect(e, words);
  const expanded = new Map(words.map(w => [w, w.parts ? expandOne(m, w) : { text: w.value, known: true }]));
  numbers(m, e);
  m.answer = holds(e, w => expanded.get(w)!);
  return EMPTY;
}

/** `[[ x -eq 0 ]]` evaluates what `x` holds, `[[ -v 'a[$(cmd)]' ]]` the subscript. */
function numbers(m: Machine, e: TestExpression): void {
  if (e.type === "TestUnary" && e.operator === "-v") runSubscripts(m, e.operand.value);
  else if (e.type === "TestBinary" && comparesNumbers(e.operator))
    for (const w of [e.left, e.right]) evaluateText(m, w.value);
  else if (e.type === "TestLogical") for (const o of e.operands) numbers(m, o);
}

function collect(e: TestExpression, out: Word[]): void {
  if (e.type === "TestUnary") out.push(e.operand);
  else if (e.type === "TestBinary") out.push(e.left, e.right);
  else if (e.type === "TestLogical") for (const o of e.operands) collect(o, out);
  else collect(e.type === "TestNot" ? e.operand : e.expression, out);
}

/** Functions that were defined and never called: their bodies run once, with nothing known about their arguments. */
export function runUncalled(m: Machine): void {
  for (const node of m.calls?.uncalled.values() ?? []) m.subshell(() => runNode(m, node.body as CommandNode, TERMINAL));
}
