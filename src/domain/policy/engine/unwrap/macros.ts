/** Languages of macros that start programs: TeX, RPM, Tcl, m4. */
import type { Io, Machine } from "../run/machine.ts";
import { EMPTY, type Field, type Val } from "../value.ts";
import { runCode, runText } from "./text.ts";

type Source = Val | Field;

const texCommand = /write18\s*\{([^}]*)|\\directlua\s*\{([^}]*)|\\input\s*\{?\|"([^"]*)/g;

/** TeX: `\write18{cmd}`, `\directlua{code}`. */
export function tex(m: Machine, code: Source, io: Io): Val {
  for (const [, command, lua, piped] of code.text.matchAll(texCommand)) {
    if (lua !== undefined) runCode(m, "lua", { ...code, text: lua }, "directlua", io);
    else runText(m, { ...code, text: command ?? piped ?? "" }, "write18", io);
  }
  return EMPTY;
}

/** RPM macros: `%(cmd)`, `%{lua:code}`. */
export function rpm(m: Machine, code: Source, io: Io): Val {
  for (const [, command] of code.text.matchAll(/%\(([^)]*)/g)) runText(m, { ...code, text: command! }, "%()", io);
  const lua = /%\{lua:(.*)$/s.exec(code.text)?.[1];
  if (lua !== undefined) runCode(m, "lua", { ...code, text: lua.slice(0, lua.lastIndexOf("}")) }, "%{lua:}", io);
  return EMPTY;
}

const tclCommand = /(?:^|[\n;[{"]|\bset e ")[^\S\n]*(exec|spawn|system|socket|eval|open)\s+([^\n;\]]*)/g;

/** Tcl and expect: `exec cmd`, `spawn cmd`, `open "|cmd"`, `socket host port`. */
export function tcl(m: Machine, code: Source, io: Io): Val {
  const of = m.subjects.length - 1;
  let host: string | undefined;
  let shell = false;
  for (const [, path] of code.text.matchAll(/\bfile\s+delete\s+(?:-force\s+)?(?:--\s+)?([^\s;\]]+)/g))
    m.file(of, "delete", { text: m.place(path!), known: code.known }, true);
  for (const [, command, rest] of code.text.matchAll(tclCommand)) {
    const words = rest!.trim().replace(/^-\w+\s+/, "");
    if (command === "socket") host = words.split(/\s+/)[0];
    else if (command === "open" && !/^["{]?\|/.test(words)) continue;
    else if (command === "eval" || words.startsWith("$")) shell = true;
    else {
      shell ||= /(^|\/)(ba|da|z)?sh\b/.test(words);
      runText(m, { ...code, text: words.replace(/^["{]\|?|["}]$/g, "") }, `tcl ${command}`, io);
    }
  }
  if (host !== undefined && shell) m.wired(of, { text: host, known: !host.startsWith("$") });
  return EMPTY;
}

/** m4: `esyscmd(cmd)`, `syscmd(cmd)`. */
export function m4(m: Machine, code: Source, io: Io): Val {
  for (const [, command] of code.text.matchAll(/\be?syscmd\(`?([^)']*)/g))
    runText(m, { ...code, text: command! }, "syscmd", io);
  return EMPTY;
}
