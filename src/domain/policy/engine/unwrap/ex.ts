import type { Io, Machine } from "../run/machine.ts";
import { concat, EMPTY, type Field, type Val } from "../value.ts";
import { runCode, runText } from "./text.ts";

const python = /^[\s:]*(?:py3?|python3?|pyx|pythonx|python-interactive|script)\s+(.*)$/s;
const lua = /^[\s:]*lua\s+(.*)$/s;
const bang =
  /^[\s:%\d,$.'"<>]*(?:(?:r(?:ead)?|w(?:rite)?|e(?:dit)?|terminal|term|shell|sil(?:ent)?!?|exe(?:cute)?)\s*["']?)?!\s*"?(.+)$/s;
const terminal = /^[\s:]*(?:platform\s+)?(?:term(?:inal)?|sh(?:ell)?)\b\s*(.*)$/s;
const system = /\b(?:system(?:list)?|job_?start|term_?(?:open|start))\(\s*(?:'([^']*)'|"([^"]*)")/;
const sourced = /^[\s:]*so(?:urce)?!?\s+(\S+)/;
const setShell = /\bset\s+shell=(.+)$/s;

/** Commands of ex, vim, gdb, dc, ftp: `!cmd`, `:shell`, `:py code`, `:call system('cmd')`. */
export function ex(m: Machine, code: Val | Field, io: Io): Val {
  let printed: Val = EMPTY;
  for (const line of code.text.split(/\n|\|(?!\|)/)) printed = concat(printed, one(m, code, line, io));
  return printed;
}

function one(m: Machine, code: Val | Field, line: string, io: Io): Val {
  const py = python.exec(line);
  if (py) return runCode(m, "python", { ...code, text: py[1]! }, ":py", io);
  const script = lua.exec(line);
  if (script) return runCode(m, "lua", { ...code, text: script[1]! }, ":lua", io);
  const path = sourced.exec(line)?.[1];
  if (path) m.file(m.subjects.length - 1, "execute", { text: m.place(path), known: code.known });
  const [, single, double] = system.exec(line) ?? [];
  const command = bang.exec(line)?.[1] ?? single ?? double ?? setShell.exec(line)?.[1] ?? shellName(line);
  if (command === undefined) return EMPTY;
  return runText(m, { ...code, text: command.trim() || "sh" }, ":!", io);
}

function shellName(line: string): string | undefined {
  const found = terminal.exec(line);
  return found ? found[1] || "sh" : undefined;
}

const execute = /(?:^|[\n;{}]|\d|\$|\/)[^\S\n]*e\s+([^\n]+)|(?:^|[\n;{}]|\d|\$)[^\S\n]*(e)\s*(?=$|[\n;}])/g;
const writes = /(?:^|[\n;{}/])[pgIi\d]*[^\S\n]*w\s+(\S[^\n;}]*)/g;
const substitutes = /^\s*(?:(?:[\d,$~+]+|\/(?:\\.|[^\\/])*\/)\s*)?s/;

/** What the result of `s/from/to/e` is, whatever stands for `/`; a backslash takes the next character with it. */
function evaluated(part: string): string | undefined {
  const begun = substitutes.exec(part)?.[0].length;
  if (begun === undefined) return undefined;
  const ends: number[] = [];
  for (let at = begun + 1; at < part.length && ends.length < 2; at++) {
    if (part[at] === "\\") at++;
    else if (part[at] === part[begun]) ends.push(at);
  }
  const [from, to] = ends;
  return to !== undefined && /^[gpIi\d]*e/.test(part.slice(to + 1)) ? part.slice(from! + 1, to) : undefined;
}

/** sed scripts: `1e cmd` runs a command, `s/x/cmd/e` runs the result, `w file` writes. */
export function sed(m: Machine, code: Val | Field, io: Io): Val {
  const of = m.subjects.length - 1;
  for (const part of code.text.split(/[;\n]\s*/)) {
    const command = evaluated(part);
    if (command !== undefined) return runText(m, { ...code, text: command.replace(/\\(.)/g, "$1") }, "sed s///e", io);
  }
  if (/^[sy]/.test(code.text) && !/;|\n/.test(code.text)) return sedWrites(m, code, of, io);
  for (const found of code.text.matchAll(execute)) runText(m, { ...code, text: found[1] ?? "sh" }, "sed e", io);
  return sedWrites(m, code, of, io);
}

function sedWrites(m: Machine, code: Val | Field, of: number, io: Io): Val {
  for (const found of code.text.matchAll(writes)) {
    const path = found[1]!.trim();
    const place = m.place(path);
    if (path.startsWith("/") || path.startsWith("~")) m.file(of, "write", { text: place, known: code.known });
    if (io.input) m.files.set(place, io.input.val);
  }
  return EMPTY;
}

/** tar `--checkpoint-action=exec=cmd` */
export function checkpoint(m: Machine, code: Val | Field, io: Io): Val {
  const command = /^exec=(.*)$/s.exec(code.text)?.[1];
  return command === undefined ? EMPTY : runText(m, { ...code, text: command.replace(/^'(.*)'$/s, "$1") }, "exec=", io);
}
