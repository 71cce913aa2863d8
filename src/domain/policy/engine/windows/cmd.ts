import type { Machine } from "../run/machine.ts";
import { concat, EMPTY, type Field, field, literal, unknown, type Val } from "../value.ts";
import { windowsPath } from "../mcp/local-path.ts";
import { invoked } from "./powershell.ts";

interface Piece {
  text: string;
  at: number;
  mark: boolean;
}

/** Splits a line of cmd: `^` escapes, quotes, `& && || |`, redirects, parentheses. */
function split(text: string): Piece[] {
  const out: Piece[] = [];
  let word = "";
  let start = -1;
  let quoted = false;
  const flush = () => {
    if (start >= 0) out.push({ text: word, at: start, mark: false });
    word = "";
    start = -1;
  };
  for (let i = 0; i < text.length && out.length < 2000; i++) {
    const c = text[i]!;
    if (c === '"') {
      quoted = !quoted;
      if (start < 0) start = i;
    } else if (quoted) word += c;
    else if (c === "^") {
      if (start < 0) start = i;
      const next = text[++i];
      if (next !== "\n" && next !== "\r") word += next ?? "";
    } else if (c === " " || c === "\t" || c === ",") flush();
    else if ("&|()<>\n\r".includes(c)) {
      flush();
      const double = text[i + 1] === c && "&|>".includes(c);
      out.push({ text: double ? c + c : c, at: i, mark: true });
      if (double) i++;
    } else {
      if (start < 0) start = i;
      word += c;
    }
  }
  flush();
  return out;
}

const reference = /%([^%\s:]+)(?::([^%]*))?%|!([^!\s]+)!/g;

/** `%name%`, `%name:~0,3%`, `!name!` from what `set` left. */
function expand(m: Machine, text: string): Val {
  if (!/[%!]/.test(text)) return literal(text);
  let known = true;
  const out = text.replace(
    reference,
    (all, a: string | undefined, slice: string | undefined, b: string | undefined) => {
      const name = (a ?? b ?? "").toLowerCase();
      const held = m.state.vars?.get(name)?.val;
      const value = held?.known ? held.text : standard[name];
      if (value === undefined) {
        if (!/^(\*|~?\d)/.test(name)) known = false;
        return all;
      }
      const part = /^~(-?\d+)(?:,(-?\d+))?$/.exec(slice ?? "");
      if (!part) return slice?.includes("=") ? value.split(slice.split("=")[0]!).join(slice.split("=")[1]!) : value;
      const from = Number(part[1]);
      const begin = from < 0 ? value.length + from : from;
      return value.slice(
        begin,
        part[2] === undefined
          ? undefined
          : Number(part[2]) < 0
            ? value.length + Number(part[2])
            : begin + Number(part[2]),
      );
    },
  );
  return known ? literal(out) : unknown();
}

const standard: Record<string, string> = {
  userprofile: "~",
  homepath: "~",
  temp: "/tmp",
  tmp: "/tmp",
  systemroot: "C:\\Windows",
  windir: "C:\\Windows",
  systemdrive: "C:",
  comspec: "cmd",
  appdata: "~\\AppData\\Roaming",
};

/** Runs a line or script of cmd.exe abstractly. */
export function cmd(m: Machine, text: string): Val {
  const before = m.dialect;
  m.dialect = "cmd";
  let printed: Val = EMPTY;
  let input: Val | undefined;
  let words: Piece[] = [];
  const list = split(text);
  list.push({ text: "\n", at: text.length, mark: true });
  m.within(undefined, () => {
    for (let i = 0; i < list.length; i++) {
      const p = list[i]!;
      if (!p.mark) words.push(p);
      else if (p.text === ">" || p.text === ">>" || p.text === "<") {
        const target = list[++i];
        if (target) words.push({ ...target, text: `\0${p.text}${target.text}` });
      } else {
        const made = words.length > 0 ? command(m, words, input) : (input ?? EMPTY);
        words = [];
        input = p.text === "|" ? made : undefined;
        if (p.text !== "|") printed = concat(printed, made);
      }
    }
  });
  m.dialect = before;
  return printed;
}

function command(m: Machine, words: readonly Piece[], input: Val | undefined): Val {
  m.step();
  const files = words.filter(w => w.text.startsWith("\0"));
  const rest = words.filter(w => !w.text.startsWith("\0")).map(w => fieldOf(m, w));
  pastConditions(rest);
  const head = rest[0];
  if (!head) return EMPTY;
  const name = head.text.replace(/^@/, "");
  const printed = named(m, name, head, rest.slice(1), input);
  for (const w of files) redirected(m, w, printed);
  return files.some(w => w.text[1] === ">") ? EMPTY : printed;
}

/** `if exist x cmd`, `if not "a"=="b" cmd`, `call cmd`: what stands before the command goes. */
function pastConditions(rest: Field[]): void {
  for (let i = 0; i < 12 && rest.length > 1; i++) {
    const text = rest[0]!.text.toLowerCase().replace(/^@/, "");
    if (/^(exist|defined|errorlevel|cmdextversion)$/.test(text)) rest.splice(0, 2);
    else if (/^(call|if|else|do|not|\/i|setlocal|endlocal)?$/.test(text) || text.includes("==")) rest.shift();
    else return;
  }
}

const fieldOf = (m: Machine, w: Piece): Field => field(expand(m, w.text), m.span(w.at, w.at + w.text.length));

function named(m: Machine, name: string, head: Field, rest: readonly Field[], input: Val | undefined): Val {
  if (!head.known) {
    m.gap("unresolved_program", name.slice(0, 80), head.span);
    m.bare(name.slice(0, 80), head.span);
    return unknown();
  }
  if (/^set$/i.test(name)) {
    const text = rest
      .filter(f => !/^\/[ap]$/i.test(f.text))
      .map(f => f.text)
      .join(" ");
    const eq = text.indexOf("=");
    if (eq > 0) m.state.set(text.slice(0, eq).trim().toLowerCase(), literal(text.slice(eq + 1)));
    return EMPTY;
  }
  if (/^for$/i.test(name)) {
    const at = rest.findIndex(f => /^do$/i.test(f.text));
    return at >= 0 && rest[at + 1] ? invoked(m, rest[at + 1]!.text, rest.slice(at + 2), input, head.span) : EMPTY;
  }
  return invoked(m, name, rest, input, head.span);
}

function redirected(m: Machine, w: Piece, printed: Val): void {
  const reads = w.text[1] === "<";
  const target = expand(m, w.text.replace(/^\0(>>|>|<)/, ""));
  if (/^(nul|con|&\d|\d)$/i.test(target.text)) return;
  const path = m.places.of(windowsPath(target.text), m.state.cwd);
  m.file(Math.max(0, m.subjects.length - 1), reads ? "read" : "write", { text: path, known: target.known });
  if (!reads) m.files.set(path, printed);
}
