/** Builtins that read lines into variables and arrays: `read`, `mapfile`. */
import { hole } from "../../facts.ts";
import { runSubscripts } from "../fold/arithmetic.ts";
import { runText } from "../unwrap/text.ts";
import { bareText, EMPTY, type Field, unknown, type Val } from "../value.ts";
import type { Builtin } from "./builtins.ts";
import type { Input, Io, Machine } from "./machine.ts";

/** Words after the options; `--` ends them. */
export function operands(argv: readonly Field[], valued = ""): Field[] {
  let i = 1;
  for (; i < argv.length; i++) {
    const t = argv[i]!.text;
    if (t === "--") return argv.slice(i + 1);
    if (t.length < 2 || !/^[-+][A-Za-z]/.test(t)) break;
    if (valued !== "" && valued.includes(t.at(-1)!)) i++;
  }
  return argv.slice(i);
}

/** `read a b`: a line of the input, split by IFS; the last name takes the rest. */
export const read: Builtin = (m, argv, io) => {
  const names = operands(argv, "adinNptu");
  const array =
    argv[1 + argv.slice(1).findIndex(f => /^-\w*a$/.test(f.text)) + (argv.some(f => /^-\w*a$/.test(f.text)) ? 1 : 0)];
  for (const f of names) runSubscripts(m, f.text);
  const line = nextLine(inputOf(m, argv, io), charsOf(argv), endOf(argv));
  const wantsArray = argv.some(f => /^-\w*a$/.test(f.text));
  const told = line.known || line.text !== hole;
  const parts = told ? split(m, line, wantsArray ? 0 : Math.max(1, names.length)) : [];
  if (wantsArray && array) {
    m.state.setItems(array.text, new Map(line.known ? parts.map((v, i) => [String(i), v]) : [["0", line]]));
    return EMPTY;
  }
  if (names.length === 0) m.state.set("REPLY", line);
  // What stands for many lines has one column.
  const stands = told && io.input?.val.known === false && parts.length < names.length;
  for (const [i, f] of names.entries()) m.state.set(f.text, told && !stands ? (parts[i] ?? EMPTY) : line);
  return EMPTY;
};

/** `read -n 2`: no more characters than that; 0: a whole line. */
function charsOf(argv: readonly Field[]): number {
  const at = argv.findIndex(f => /^-\w*[nN]\d*$/.test(f.text));
  return at < 0 ? 0 : Number(/(?<!\d)\d+$/.exec(argv[at]!.text)?.[0] ?? argv[at + 1]?.text) || 0;
}

/** `read -d ''`: up to what a line goes. */
function endOf(argv: readonly Field[]): string {
  const at = argv.findIndex(f => /^-[a-ce-z]*d/.test(f.text));
  const joined = at < 0 ? "\n" : argv[at]!.text.slice(argv[at]!.text.indexOf("d") + 1);
  return (joined || (argv[at + 1]?.text ?? "")).slice(0, 1) || "\0";
}

/** `read -u 3`: what another descriptor reads. */
function inputOf(m: Machine, argv: readonly Field[], io: Io): Input | undefined {
  const at = argv.findIndex(f => /^-\w*u\d*$/.test(f.text));
  const given = at < 0 ? undefined : (/(?<!\d)\d+$/.exec(argv[at]!.text)?.[0] ?? argv[at + 1]?.text);
  return given === undefined ? io.input : (m.reading?.get(Number(given)) ?? io.input);
}

function nextLine(input: Input | undefined, most: number, by: string): Val {
  if (!input) return unknown();
  const { val } = input;
  if (!val.known && bareText(val).trim() === "") return val;
  const end = val.text.indexOf(by, input.at);
  const line = end < 0 ? val.text.length : end;
  const stop = most > 0 ? Math.min(line, input.at + most) : line;
  const text = val.text.slice(input.at, stop);
  input.at = stop < line ? stop : stop + 1;
  return { ...val, text, known: val.known || !text.includes(hole) };
}

function split(m: Machine, line: Val, most: number): Val[] {
  const ifs = m.state.get("IFS")?.text ?? " \t\n";
  const out: Val[] = [];
  let from = 0;
  const { text } = line;
  for (let i = 0; i <= text.length && (most === 0 || out.length < most - 1); i++) {
    if (i < text.length && !ifs.includes(text[i]!)) continue;
    if (i > from || !/\s/.test(text[i] ?? " ")) out.push({ ...line, text: text.slice(from, i) });
    from = i + 1;
  }
  if (from < text.length && (most === 0 || out.length < most)) out.push({ ...line, text: text.slice(from).trim() });
  return out;
}

export const mapfile: Builtin = (m, argv, io) => {
  const name = operands(argv, "dnOsuCc")[0]?.text ?? "MAPFILE";
  const callback = argv[argv.findIndex(f => f.text === "-C") + 1];
  if (callback && callback !== argv[0]) runText(m, callback, "mapfile -C", io);
  const val = inputOf(m, argv, io)?.val ?? unknown();
  const trims = argv.some(f => /^-\w*t/.test(f.text));
  const at = argv.findIndex(f => /^-\w*d/.test(f.text));
  const by = at < 0 ? "\n" : argv[at]!.text.replace(/^-\w*d/, "").slice(0, 1) || argv[at + 1]?.text[0] || "\0";
  const told = val.known || bareText(val).trim() !== "";
  const parts = told ? val.text.split(by) : [];
  const skip = argv.findIndex(f => /^-s\d*$/.test(f.text));
  const skipped = skip < 0 ? 0 : Number(argv[skip]!.text.slice(2) || argv[skip + 1]?.text) || 0;
  const lines = (parts.at(-1)?.trim() === "" ? parts.slice(0, -1) : parts).slice(skipped);
  const items = lines.map((text, i): [string, Val] => [
    String(i),
    { ...val, text: trims ? text : text + by, known: val.known || !text.includes(hole) },
  ]);
  m.state.setItems(name, new Map(told ? items : [["0", val]]));
  return EMPTY;
};
