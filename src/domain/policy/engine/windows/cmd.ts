import { hole } from "../../facts.ts";
import type { Machine } from "../run/machine.ts";
import { concat, EMPTY, type Field, field, literal, unknown, type Val } from "../value.ts";
import { windowsPath } from "../mcp/local-path.ts";
import { invoked } from "./powershell.ts";

interface Piece {
  text: string;
  at: number;
  mark: boolean;
  /** Held by quotes in part: what is put in for a reference does not split it. */
  quoted: boolean;
}

/** Splits a line of cmd: `^` escapes, quotes, `& && || |`, redirects, parentheses. */
function split(text: string): Piece[] {
  const out: Piece[] = [];
  let word = "";
  let start = -1;
  let quoted = false;
  let held = false;
  const flush = () => {
    if (start >= 0) out.push({ text: word, at: start, mark: false, quoted: held });
    word = "";
    held = false;
    start = -1;
  };
  for (let i = 0; i < text.length && out.length < 2000; i++) {
    const c = text[i]!;
    if (c === '"') {
      quoted = !quoted;
      held = true;
      if (start < 0) start = i;
    } else if (quoted) word += c;
    else if (c === "^") {
      if (start < 0) start = i;
      const next = text[++i];
      if (next !== "\n" && next !== "\r") word += next ?? "";
    } else if (c === " " || c === "\t" || (c === "," && !/%[^%:]+:~-?\d+$/.test(word))) flush();
    else if ("&|()<>\n\r".includes(c)) {
      flush();
      const double = text[i + 1] === c && "&|>".includes(c);
      out.push({ text: double ? c + c : c, at: i, mark: true, quoted: false });
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

/** `%i`, `%%i` and `%~fi` of a loop that is running. */
function expand(m: Machine, text: string): Val {
  if (!/[%!]/.test(text)) return literal(text);
  const loop = /%%?(?:~[a-z]*?)?([a-z])(?![\w%:])/i.exec(text);
  const item = loop && m.state.vars?.get(`%${loop[1]!.toLowerCase()}`)?.val;
  if (!item) return referenced(m, text);
  const [before, behind] = [text.slice(0, loop.index), text.slice(loop.index + loop[0].length)];
  return concat(concat(referenced(m, before), item), referenced(m, behind));
}

/** `%name%`, `%name:~0,3%`, `!name!` from what `set` left. */
function referenced(m: Machine, text: string): Val {
  if (!/[%!]/.test(text)) return literal(text);
  let known = true;
  const out = text.replace(
    reference,
    (all, a: string | undefined, slice: string | undefined, b: string | undefined) => {
      const name = (a ?? b ?? "").toLowerCase();
      const held = m.state.vars?.get(name)?.val;
      const value = held?.known ? held.text : standard[name];
      if (value === undefined) {
        // Text for another `cmd`, which may expand it later: `cmd /v:on /c "set x=rd&& !x! …"`.
        if (b !== undefined && /\s/.test(text)) return all;
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
  localappdata: "~\\AppData\\Local",
  programdata: "C:\\ProgramData",
  allusersprofile: "C:\\ProgramData",
  programfiles: "C:\\Program Files",
  public: "C:\\Users\\Public",
  homedrive: "C:",
};

/** Runs a line or script of cmd.exe abstractly. */
export function cmd(m: Machine, text: string): Val {
  const before = m.dialect;
  m.dialect = "cmd";
  let printed: Val = EMPTY;
  let input: Val | undefined;
  let words: Piece[] = [];
  const list = split(text);
  list.push({ text: "\n", at: text.length, mark: true, quoted: false });
  m.within(undefined, () => {
    for (let i = 0; i < list.length; i++) {
      const p = list[i]!;
      if (!p.mark) words.push(p);
      else if (p.text === ">" || p.text === ">>" || p.text === "<") {
        const target = list[++i];
        if (target) words.push({ ...target, text: `\0${p.text}${target.text}` });
      } else if (p.text === "(" && /^@?for$/i.test(words[0]?.text ?? "")) {
        const end = list.findIndex((one, at) => at > i && one.text === ")");
        loops(m, words, list.slice(i + 1, end < 0 ? list.length : end));
        words = [];
        i = end < 0 ? list.length : end;
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

/** `for %i in (set) do …`: the variable holds what the set names, as far as that is one thing. */
function loops(m: Machine, words: readonly Piece[], set: readonly Piece[]): void {
  const name = /^%%?([a-z])$/i.exec(words.find(w => /^%%?[a-z]$/i.test(w.text))?.text ?? "")?.[1];
  const option = words.find(w => /^\/[dflr]$/i.test(w.text));
  const first = set[0];
  if (!name || !first) return;
  const kind = option?.text.toLowerCase();
  const source = set.map(p => p.text).join(" ");
  const made = kind === "/f" && first.text.startsWith("'") ? cmd(m, source.replace(/^'|'$/g, "")) : unknown();
  const root = kind === "/r" ? words[words.indexOf(option!) + 1]?.text : undefined;
  const held =
    root !== undefined && !root.startsWith("%")
      ? { ...unknown(), text: `${root.replace(/\\$/, "")}\\${hole}\\*` }
      : set.length === 1 && kind !== "/f" && kind !== "/r"
        ? expand(m, first.text)
        : made;
  m.state.set(`%${name.toLowerCase()}`, held);
}

function command(m: Machine, words: readonly Piece[], input: Val | undefined): Val {
  m.step();
  const files = words.filter(w => w.text.startsWith("\0"));
  const written = words.filter(w => !w.text.startsWith("\0"));
  const rest = written.map(w => fieldOf(m, w));
  pastConditions(rest);
  const head = rest[0];
  if (!head) return EMPTY;
  // A reference is replaced before the line is split.
  const source = written.at(-rest.length)!;
  if (!source.quoted && /^@?[%!]/.test(source.text) && head.known && /\s/.test(head.text) && !/[%!]/.test(head.text))
    return cmd(m, rest.map(f => f.text).join(" "));
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
    m.flow(m.bare(name.slice(0, 80), head.span), head, "shell");
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
