/** A simple command: its words are expanded, redirects applied, assignments made; then `invoke.ts` runs it. */
import { limits } from "../limits.ts";
import { type Assignment, type Command, parse, type Redirection, type Word } from "unbash";
import { integral } from "../fold/integral.ts";
import { expandOne, expandWord, expandWords } from "../fold/word.ts";
import { concat, EMPTY, type Field, field, type Val } from "../value.ts";
import { setVariable } from "../unwrap/environment.ts";
import { invoke } from "./invoke.ts";
import { Calls, type Io, type Machine } from "./machine.ts";
import { applyRedirects, finishRedirects, type Redirects } from "./redirect.ts";
import { runNode } from "./script.ts";

/** A simple command, once more for each other value its variables may have after an `if` or `case`. */
export function runCommand(m: Machine, node: Command, io: Io): Val {
  const before = m.branched;
  m.branched = 0;
  const printed = runOnce(m, node, io);
  if (m.branched > 0 && m.choice === undefined) forEachChoice(m, node, io);
  if (before > m.branched) m.branched = before;
  if (!m.state.forked) return printed;
  for (const [name, val] of alternatives(m, node)) runWith(m, node, io, name, val);
  const { positionals } = m.state;
  if (positionals && takesPositional(node))
    m.subshell(() => {
      m.state.positional = positionals;
      runOnce(m, node, io);
    });
  return printed;
}

const LESS = 60;

/** `@<(…)` is one word; the parser takes it for two that touch. */
function expandNext(m: Machine, w: Word, argv: Field[], node: Command): void {
  const before = argv.length;
  expandWord(m, w, argv);
  if (before < 2 || w.text.charCodeAt(0) !== LESS || argv.length !== before + 1 || !w.text.startsWith("<(")) return;
  if (!node.suffix.some(s => s.type === "Word" && s.end === w.pos)) return;
  const last = argv.pop()!;
  argv[before - 1] = { ...last, text: argv[before - 1]!.text + last.text };
}

function hereText({ suffix }: Command): Redirection | undefined {
  for (let i = 0; i < suffix.length; i++) {
    const s = suffix[i]!;
    if (s.type === "HereString" || s.type === "HereDoc") return s as Redirection;
  }
  return undefined;
}

/** What the command reads, for `>(…)` among its words: that of its own redirections, which are made later. */
function fed(m: Machine, node: Command, io: Io): Val | undefined {
  const here = hereText(node);
  if (here === undefined || !node.suffix.some(s => s.type === "Word" && s.text.includes(">("))) return io.input?.val;
  return applyRedirects(m, [here], io).io.input?.val;
}

/** `rm -rf "$(if x; then echo a; else echo /; fi)"`: once more for what each branch prints. */
function forEachChoice(m: Machine, node: Command, io: Io): void {
  for (let k = 0, choices = m.branched; k < choices; k++) {
    m.choice = k;
    const after = m.subshell(() => {
      runOnce(m, node, io);
      return m.state;
    });
    if (node.name === undefined)
      for (const p of node.prefix) if (p.type === "Assignment") m.state.otherwise(p.name, after.vars?.get(p.name));
  }
  m.choice = undefined;
}

/** Values that variables named in the words hold on other branches. */
function alternatives(m: Machine, node: Command): [string, Val][] {
  const out: [string, Val][] = [];
  for (const w of [node.name, ...node.suffix]) {
    if (w === undefined || !("text" in w) || typeof w.text !== "string") continue;
    for (const [, name] of w.text.matchAll(/\$\{?(\w+)/g)) {
      for (const val of m.state.variable(name!)?.others ?? []) out.push([name!, val]);
    }
  }
  if (out.length > limits.branches) m.step(limits.steps);
  return out;
}

/** `"$@"` when another branch has set other words. */
const takesPositional = (node: Command): boolean =>
  [node.name, ...node.suffix].some(w => w !== undefined && "text" in w && /\$\{?[@*1-9]/.test(String(w.text)));

function runWith(m: Machine, node: Command, io: Io, name: string, val: Val): void {
  m.subshell(() => {
    m.state.set(name, val);
    runOnce(m, node, io);
  });
}

/** Words are expanded, then redirects applied, then assignments made, then the program runs. */
function runOnce(m: Machine, node: Command, io: Io): Val {
  m.feeding = fed(m, node, io);
  m.stdin = io.input;
  const argv: Field[] = [];
  if (node.name) expandWord(m, node.name, argv);
  let redirects: Redirection[] | undefined;
  for (const s of node.suffix) {
    if (s.type === "Word") expandNext(m, s, argv, node);
    else if (s.type === "Assignment") argv.push(assignmentWord(m, s));
    else (redirects ??= []).push(s);
  }
  if (argv.length > 0) m.last = argv[argv.length - 1];
  let assigned: Assignment[] | undefined;
  for (const p of node.prefix) {
    if (p.type === "Assignment") (assigned ??= []).push(p);
    else (redirects ??= []).push(p);
  }
  if (argv.length > 1 && node.name !== undefined && optional.test(node.name.text))
    m.subshell(() => invoke(m, argv.slice(1), io));
  if (redirects === undefined && assigned === undefined && argv.length > 0) return named(m, node, argv, io);
  const applied = redirects ? applyRedirects(m, redirects, io) : undefined;
  return argv.length > 0 ? withAssignments(m, node, assigned, argv, applied, io) : lone(m, node, assigned, applied);
}

/** `${x+sudo} rm`: when `x` is not set, the command begins with the next word. */
const optional = /^\$\{\w+:?\+[^{}]*\}$/;

/** `X=1 cmd`: the variables hold while the command runs and are facts of that command. */
function withAssignments(
  m: Machine,
  node: Command,
  assigned: Assignment[] | undefined,
  argv: Field[],
  applied: Redirects | undefined,
  io: Io,
): Val {
  const first = m.subjects.length;
  const saved = assigned?.map(a => [a.name, m.state.vars?.get(a.name)] as const);
  if (assigned) m.environment = assigned.map(a => assign(m, a));
  const open = m.state.sockets;
  if (applied?.sockets) m.state.sockets = new Map([...(open ?? []), ...applied.sockets]);
  const printed = named(m, node, argv, applied ? applied.io : io);
  if (saved) for (const [name, value] of saved) value ? m.state.vars!.set(name, value) : m.state.vars!.delete(name);
  if (argv[0]!.text !== "exec") m.state.sockets = open;
  m.environment = undefined;
  if (!applied) return printed;
  const of = m.subjects.length > first ? first : m.bare(">", m.span(node.pos, node.end));
  if (argv.length === 1 && argv[0]!.text === "exec") m.state.out = applied.files.find(t => t.output);
  return finishRedirects(m, applied, of, printed);
}

/** Assignments and redirects without a program. */
function lone(m: Machine, node: Command, assigned: Assignment[] | undefined, applied: Redirects | undefined): Val {
  const span = m.span(node.pos, node.end);
  const made = (assigned ?? []).map(a => assign(m, a));
  if (made.length > 0) {
    const of = m.bare("=", span);
    for (const [name, value] of made) setVariable(m, of, name, value);
  }
  if (!applied) return EMPTY;
  const input = applied.io.input;
  return finishRedirects(m, applied, m.bare(">", span), input ? input.val : EMPTY);
}

function named(m: Machine, node: Command, argv: Field[], io: Io): Val {
  const alias = m.state.aliases?.get(argv[0]!.text);
  if (alias !== undefined && node.name?.parts === undefined && !m.calls?.aliases.has(argv[0]!.text)) {
    return runAlias(m, node, argv[0]!, alias, io);
  }
  return invoke(m, argv, io);
}

/** An alias is source text put in the place of the first word: what stands behind that goes on its last command. */
function runAlias(m: Machine, node: Command, { text: name, span }: Field, text: string, io: Io): Val {
  const { aliases } = (m.calls ??= new Calls());
  aliases.add(name);
  const result = m.within(`alias ${name}`, () =>
    m.based(span, () => {
      let printed = EMPTY;
      m.work(text.length * 8);
      const statements = parse(text).commands;
      for (const [i, { command }] of statements.entries()) {
        const last = i === statements.length - 1 && command.type === "Command";
        const whole = last ? { ...command, suffix: [...command.suffix, ...node.suffix] } : command;
        printed = concat(printed, runNode(m, whole, io));
      }
      return printed;
    }),
  );
  aliases.delete(name);
  return result;
}

/** `export A=b`: the assignment stays one word of the command. */
function assignmentWord(m: Machine, a: Assignment): Field {
  const span = m.span(a.pos, a.end);
  const right = integral(a.value);
  if (right.type === "ArrayValue") {
    assign(m, a);
    return field({ ...EMPTY, text: a.name }, span);
  }
  const value = expandOne(m, right);
  const name = a.index ? a.text.slice(0, a.text.indexOf("]") + 1) : a.name;
  const text = `${name}${a.append ? "+=" : "="}`;
  return { ...value, text: text + value.text, span };
}

/** Makes one assignment in the state; yields its name and value for the facts. */
function assign(m: Machine, a: Assignment): [string, Field] {
  m.step();
  const { state } = m;
  const right = integral(a.value);
  if (right.type === "ArrayValue") {
    const items = new Map<string, Val>(a.append ? state.variable(a.name)?.items : undefined);
    let next = items.size;
    for (const element of right.elements) {
      const keyed = /^\[([^\]]*)\]=/.exec(element.text);
      if (keyed) {
        const at = expandOne(m, element);
        items.set(keyed[1]!.replace(/^["']|["']$/g, ""), { ...at, text: at.text.slice(at.text.indexOf("]=") + 2) });
      } else for (const f of expandWords(m, [element])) items.set(String(next++), f);
    }
    state.setItems(a.name, items);
    return [a.name, field(EMPTY, m.span(a.pos, a.end))];
  }
  // `s="$x $s"` where nothing has set `s` before.
  if (right.text.includes(`$${a.name}`) && state.get(a.name) === undefined) state.set(a.name, EMPTY);
  const value = expandOne(m, right);
  if (a.index) m.step(1 + ((state.variable(a.name)?.items?.size ?? 0) >> 4));
  if (a.index) state.setItem(a.name, expandOne(m, a.index).text, value);
  else if (a.append) state.append(a.name, value, concat);
  else state.set(a.name, value);
  return [a.name, value];
}
