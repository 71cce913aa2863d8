import type { Io, Machine } from "../run/machine.ts";
import { concat, EMPTY, type Field, type Val } from "../value.ts";
import { looksLikeCommand } from "../programs/passed-on.ts";
import { runCode, runText } from "./text.ts";

/** Commands that run code of a language the editor or debugger holds. */
const embedded: readonly (readonly [string, RegExp])[] = [
  ["python", /^[\s:]*(?:py3?|python3?|pyx|pythonx|python-interactive|script)\s+(.*)$/s],
  ["lua", /^[\s:]*lua\s+(.*)$/s],
  ["lisp", /^[\s:]*guile\s+(.*)$/s],
];
const bang =
  /^[\s:%\d,$.'"<>]*(?:(?:r(?:ead)?|w(?:rite)?|e(?:dit)?|terminal|term|shell|sil(?:ent)?!?|exe(?:cute)?)\s*["']?)?!\s*"?(.+)$/s;
const terminal = /^[\s:]*(?:platform\s+)?(?:term(?:inal)?|sh(?:ell)?)\b\s*(.*)$/s;
const sourced = /^[\s:]*(?:so(?:urce)?!?|command\s+(?:source|script\s+import))\s+(\S+)/;
/** Settings that name a program; `make` starts the one of that name, or what `makeprg` says. */
const setProgram = /\bset\s+(?:shell|makeprg|grepprg|equalprg|formatprg|keywordprg)=(.+)$/s;
const make = /^[\s:]*(make\b.*)$/s;
/** kakoune: `nop %sh{cmd}`. */
const expansion = /%sh\{([^}]+)/;
/** Keys as they are written to be sent. */
const keys = /<(?:CR|Esc|Enter|C-\w)>/gi;

/** Commands of ex, vim, gdb, dc, ftp: `!cmd`, `:shell`, `:py code`, `:call system('cmd')`. */
export function ex(m: Machine, code: Val | Field, io: Io): Val {
  let printed: Val = EMPTY;
  const text = code.text.includes("<") ? code.text.replace(keys, "\n") : code.text;
  for (const line of text.split(/\n|\|(?!\|)/)) printed = concat(printed, one(m, code, line, io));
  return printed;
}

function one(m: Machine, code: Val | Field, line: string, io: Io): Val {
  for (const [language, pattern] of embedded) {
    const text = pattern.exec(line)?.[1];
    if (text !== undefined) return runCode(m, language, { ...code, text }, `:${language}`, io);
  }
  const path = sourced.exec(line)?.[1];
  if (path) m.file(m.subjects.length - 1, "execute", { text: m.place(path), known: code.known });
  const command = commandOf(line);
  if (command !== undefined) return runText(m, { ...code, text: command.trim() || "sh" }, ":!", io);
  return line.includes("(") ? runCode(m, "vim", { ...code, text: line }, ":call", io) : EMPTY;
}

function commandOf(line: string): string | undefined {
  const own = bang.exec(line)?.[1] ?? setProgram.exec(line)?.[1]?.replaceAll("\\ ", " ");
  if (own !== undefined) return own;
  // `bufdo !cmd`, `au VimEnter * !cmd`, `normal! :!cmd`: what stands before is the editor's own.
  const at = line.lastIndexOf("!");
  const behind =
    at > 0 && /[\s:"']/.test(line[at - 1]!)
      ? line
          .slice(at + 1)
          .replace(/["']$/, "")
          .trim()
      : undefined;
  return behind !== undefined && looksLikeCommand(behind)
    ? behind
    : (expansion.exec(line)?.[1] ?? make.exec(line)?.[1] ?? terminal.exec(line)?.[1]);
}

/** `strace -o '|cmd'`, `-o '!cmd'`: a program in the place of a file's name. */
export function pipe(m: Machine, code: Val | Field, io: Io): Val {
  const command = /^[!|](.+)$/s.exec(code.text)?.[1];
  return command === undefined ? EMPTY : runText(m, { ...code, text: command }, "|", io);
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
