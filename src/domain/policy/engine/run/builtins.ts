import { hole } from "../../facts.ts";
import { decodeEscapes } from "../fold/ansi-c.ts";
import { printf } from "../fold/printf.ts";
import { evaluateText, runSubscripts } from "../fold/arithmetic.ts";
import { environment, NETWORK, SECRET, UNKNOWN, UNSET } from "../taint.ts";
import { fromEnvFile, settings } from "../unwrap/env-file.ts";
import { setVariable } from "../unwrap/environment.ts";
import { runText } from "../unwrap/text.ts";
import { concat, EMPTY, type Field, join, literal, unknown, type Val } from "../value.ts";
import { comparesNumbers, tested as answered } from "./condition.ts";
import { executed } from "./files.ts";
import { invoke, jobFor } from "./invoke.ts";
import { type Io, type Machine, TERMINAL } from "./machine.ts";
import { Names } from "./names.ts";
import { mapfile, operands, read } from "./reading.ts";
import { contents } from "./redirect.ts";

export type Builtin = (m: Machine, argv: readonly Field[], io: Io) => Val;

const recorded =
  (body: Builtin): Builtin =>
  (m, argv, io) => {
    jobFor(m, argv[0]!.text, argv, io);
    return body(m, argv, io);
  };

const echo: Builtin = (_m, argv) => {
  let i = 1;
  let newline = true;
  let escapes = false;
  for (; i < argv.length && /^-[neE]+$/.test(argv[i]!.text); i++) {
    if (argv[i]!.text.includes("n")) newline = false;
    if (argv[i]!.text.includes("e")) escapes = true;
  }
  const all = join(argv.slice(i), " ");
  const text = escapes ? { ...all, text: decodeEscapes(all.text, "echo") } : all;
  return newline ? concat(text, literal("\n")) : text;
};

const print: Builtin = (m, argv) => {
  let rest = argv.slice(1);
  let into: string | undefined;
  if (rest[0]?.text === "-v") {
    into = rest[1]?.text;
    rest = rest.slice(2);
  }
  if (rest[0]?.text === "--") rest = rest.slice(1);
  const printed = printf(m, rest);
  if (into === undefined) return printed;
  runSubscripts(m, into);
  const item = /^(\w+)\[(.+)\]$/.exec(into);
  if (item) m.state.setItem(item[1]!, item[2]!, printed);
  else m.state.set(into, printed);
  return EMPTY;
};

const evaluate: Builtin = (m, argv, io) => {
  const job = jobFor(m, "eval", argv, io);
  const rest = argv[1]?.text === "--" ? argv.slice(2) : argv.slice(1);
  const text = join(rest, " ");
  const code: Field = { ...text, span: rest[0]?.span ?? argv[0]!.span, glob: false };
  m.code(job.of, code, "shell");
  return runText(m, code, "eval", io);
};

const source: Builtin = (m, argv, io) => {
  const job = jobFor(m, "source", argv, io);
  const name = argv[1];
  if (!name) return EMPTY;
  const path = m.place(name.text);
  m.file(job.of, "execute", { text: path, known: name.known, span: name.span });
  const held = path === "/dev/stdin" ? (io.input?.val ?? EMPTY) : contents(m, path, name);
  if (!held.known) {
    m.flow(
      job.of,
      m.files.has(path) || path === "/dev/stdin" ? held : { ...held, taint: held.taint & ~UNKNOWN & ~SECRET },
      "shell",
    );
    return EMPTY;
  }
  m.flow(job.of, held, "shell");
  executed(m, job.of, held, path, name);
  return m.based(name.span, () => runText(m, held, "source", io, argv.length > 2 ? argv.slice(1) : undefined));
};

/** Where `cd` leads when nothing has set the variables it names: home, or the root. */
function strays(text: string): string | undefined {
  const rest = text.replaceAll(hole, "");
  return rest === "" ? "~" : /^\/+$/.test(rest) ? "/" : undefined;
}

/** `CDPATH=/; cd etc`. */
function searched(m: Machine, to: string): string {
  const path = m.state.vars?.get("CDPATH")?.val.text;
  return path && !/^[/.~]/.test(to) ? `${path.split(":")[0]}/${to}` : to;
}

const cd: Builtin = (m, argv) => {
  const to = operands(argv)[0];
  const { cwd, previous } = m.state;
  if (argv[0]!.text === "pushd") m.state.directories = [...m.state.directories, cwd];
  m.state.previous = cwd ?? m.places.start;
  if (to?.text === "-") m.state.cwd = previous;
  else if (!to) m.state.cwd = argv[0]!.text === "cd" ? m.places.of("~", undefined) : m.state.cwd;
  else m.state.cwd = m.place(searched(m, to.text));
  m.state.strayed = to && !to.known && (to.taint & UNSET) !== 0 ? strays(to.text) : undefined;
  return EMPTY;
};

const popd: Builtin = ({ state }) => {
  state.cwd = state.directories.at(-1);
  state.directories = state.directories.slice(0, -1);
  return EMPTY;
};

/** `export`, `declare`, `local`, `readonly`: assignments in words are made, and are facts when exported. */
const declare: Builtin = (m, argv, io) => {
  const job = jobFor(m, argv[0]!.text, argv, io);
  const flags = argv
    .slice(1)
    .filter(f => /^-[A-Za-z]+$/.test(f.text))
    .map(f => f.text)
    .join("");
  for (const f of operands(argv))
    if (flags === "" && fromEnvFile(f)) settings(m, job.of, f);
    else declared(m, job.of, f, flags);
  return operands(argv).length === 0 ? unknown(SECRET, environment) : EMPTY;
};

const assignment = /^([A-Za-z_]\w*)(?:\[([^\]]*)\])?(\+?)=/;

function declared(m: Machine, of: number, f: Field, flags: string): void {
  const found = assignment.exec(f.text);
  if (f.text.includes("[")) runSubscripts(m, found ? (found[2] ?? "") : f.text);
  if (!found) return;
  const name = found[1]!;
  let value: Field = { ...f, text: f.text.slice(found[0].length) };
  if (value.known && flags.includes("l")) value = { ...value, text: value.text.toLowerCase() };
  if (value.known && flags.includes("u")) value = { ...value, text: value.text.toUpperCase() };
  if (/[aA]/.test(flags) && value.known && /^\(.*\)$/s.test(value.text))
    return void runText(m, { ...value, text: `${name}=${value.text}` }, "declare", TERMINAL);
  if (flags.includes("n")) m.state.refer(name, value.text);
  else if (found[2] !== undefined) m.state.setItem(name, found[2], value);
  else if (found[3] === "+") m.state.append(name, value, concat);
  else if (flags.includes("i") && value.known) {
    runSubscripts(m, value.text);
    m.state.set(name, literal(String(evaluateText(m, value.text) ?? value.text)));
  } else m.state.set(name, value);
  setVariable(m, of, name, value, f.span);
}

const alias: Builtin = (m, argv) => {
  for (const f of argv.slice(1)) {
    const eq = f.text.indexOf("=");
    if (eq <= 0) continue;
    m.state.aliases ??= new Names();
    m.state.aliases.set(f.text.slice(0, eq), f.text.slice(eq + 1));
    if ((f.taint & NETWORK) !== 0) m.flow(m.subjects.length - 1, { ...f, taint: NETWORK }, "shell");
  }
  return EMPTY;
};

const set: Builtin = (m, argv) => {
  if (argv.length === 1) return unknown(SECRET, environment);
  const at = argv.findIndex((f, i) => i > 0 && (f.text === "--" || !/^[-+]/.test(f.text)));
  if (at > 0 && argv[at - 1]!.text !== "-o" && argv[at - 1]!.text !== "+o" && !/^-\w*o$/.test(argv[at - 1]!.text)) {
    m.state.positional = argv.slice(argv[at]!.text === "--" ? at + 1 : at);
  }
  return EMPTY;
};

const shift: Builtin = (m, argv) => {
  m.state.positional = m.state.positional.slice(Number(argv[1]?.text ?? 1) || 1);
  return EMPTY;
};

/** `command cmd`, `builtin cmd`, `exec cmd`: functions are passed over. */
const passOn: Builtin = (m, argv, io) => {
  const name = argv[0]!.text;
  const inner = operands(argv, name === "exec" ? "a" : "");
  if (inner.length === 0) return EMPTY;
  if (name === "command" && argv[1] && /^-[vV]/.test(argv[1].text)) return found(m, inner[0]!.text);
  return m.within(name, () => direct(m, inner, io));
};

/** `command -v name`: a name of the shell's own, else where programs lie. */
const found = (m: Machine, name: string): Val =>
  literal(name.includes("/") || builtins.has(name) || m.state.functions?.get(name) ? name : `/usr/bin/${name}`);

function direct(m: Machine, argv: readonly Field[], io: Io): Val {
  const fn = m.state.functions?.get(argv[0]!.text);
  if (!fn) return invoke(m, argv, io);
  m.state.functions!.delete(argv[0]!.text);
  const printed = invoke(m, argv, io);
  m.state.functions!.set(argv[0]!.text, fn);
  return printed;
}

/** `trap 'text' EXIT`: the text runs some time. */
const trap: Builtin = (m, argv, io) => {
  const text = operands(argv)[0];
  if (!text || argv.length < 3 || text.text === "-" || text.text === "") return EMPTY;
  const job = jobFor(m, "trap", argv, io);
  m.flow(job.of, text, "shell");
  if (argv.some(f => f.text === "EXIT" || f.text === "0")) (m.traps ??= []).push(text);
  return m.subshell(() => runText(m, text, "trap", io));
};

const unset: Builtin = (m, argv) => {
  for (const f of operands(argv)) {
    runSubscripts(m, f.text);
    m.state.unset(f.text);
  }
  return EMPTY;
};

const let_: Builtin = (m, argv) => {
  for (const f of argv.slice(1)) {
    runSubscripts(m, f.text);
    evaluateText(m, f.text);
  }
  return EMPTY;
};

const pwd: Builtin = m => literal(m.here);

const nothing: Builtin = () => EMPTY;

/** `test -v 'a[$(cmd)]'`, `[ x -eq y ]`: nothing runs but what names and numbers hide. */
const tested: Builtin = (m, argv) => {
  for (const [i, f] of argv.entries()) {
    const [before, after] = [argv[i - 1]?.text ?? "", argv[i + 1]?.text ?? ""];
    if (before === "-v" || comparesNumbers(before) || comparesNumbers(after)) runSubscripts(m, f.text);
  }
  const words = argv.slice(1);
  m.answer = answered(argv[0]!.text === "[" ? words.slice(0, -1) : words);
  return EMPTY;
};

/** `hash -p path name`: the name leads to that file from now on. */
const hash: Builtin = (m, argv, io) =>
  argv[1]?.text === "-p" && argv[3]
    ? alias(m, [argv[0]!, { ...argv[2]!, text: `${argv[3].text}=${argv[2]!.text}` }], io)
    : EMPTY;

/** `getopts a:b name -a x`: one option a call, its value in `OPTARG`. */
const getopts: Builtin = (m, argv) => {
  const [, letters, name] = argv;
  if (!letters || !name) return EMPTY;
  const words = argv.length > 3 ? argv.slice(3) : m.state.positional;
  const at = Number(m.state.vars?.get("OPTIND")?.val.text ?? 1) || 1;
  const option = words[at - 1];
  m.answer = option !== undefined && /^-\w/.test(option.text);
  if (!option || !m.answer) return EMPTY;
  const valued = letters.text.includes(`${option.text[1]}:`);
  const apart = valued && option.text.length === 2;
  m.state.set(name.text, literal(option.text[1]!));
  if (valued) m.state.set("OPTARG", apart ? (words[at] ?? EMPTY) : { ...option, text: option.text.slice(2) });
  m.state.set("OPTIND", literal(String(at + (apart ? 2 : 1))));
  return EMPTY;
};

/** Builtins that only print or test: no program starts, no file changes. */
export const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ["echo", recorded(echo)],
  ["printf", recorded(print)],
  ["eval", evaluate],
  ["source", source],
  [".", source],
  ["cd", recorded(cd)],
  ["pushd", recorded(cd)],
  ["popd", popd],
  ["export", declare],
  ["declare", declare],
  ["typeset", declare],
  ["local", declare],
  ["readonly", declare],
  ["alias", recorded(alias)],
  ["unalias", nothing],
  ["read", recorded(read)],
  ["mapfile", recorded(mapfile)],
  ["readarray", recorded(mapfile)],
  ["set", recorded(set)],
  ["shift", shift],
  ["command", passOn],
  ["builtin", passOn],
  ["exec", passOn],
  ["trap", trap],
  ["unset", recorded(unset)],
  ["let", let_],
  ["pwd", recorded(pwd)],
  ["true", nothing],
  ["false", nothing],
  [":", nothing],
  ["hash", recorded(hash)],
  ["test", tested],
  ["[", tested],
  ["return", nothing],
  ["exit", nothing],
  ["break", nothing],
  ["continue", nothing],
  ["wait", nothing],
  ["getopts", getopts],
]);
