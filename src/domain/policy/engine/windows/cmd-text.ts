/** Text of cmd.exe: how a line is parted, and what references in it stand for. */
import { hole } from "../../facts.ts";
import type { Machine } from "../run/machine.ts";
import { isSecretName } from "../run/state.ts";
import { SECRET, UNKNOWN } from "../taint.ts";
import { concat, literal, unknown, type Val } from "../value.ts";

export interface Piece {
  text: string;
  at: number;
  mark: boolean;
  /** Held by quotes in part: what is put in for a reference does not split it. */
  quoted: boolean;
}

const groups = /^@?(if|for|else|do)$/i;

/** What a text is split into, and whether a quote or group in it is not closed. */
interface Parted {
  pieces: Piece[];
  open: boolean;
}

/** Splits a line of cmd: `^` escapes, quotes, `& && || |`, redirects; parentheses where they group commands. */
export function split(text: string): Parted {
  const out: Piece[] = [];
  let word = "";
  let start = -1;
  let quoted = false;
  let held = false;
  let depth = 0;
  let first: string | undefined;
  const flush = () => {
    if (start >= 0) {
      out.push({ text: word, at: start, mark: false, quoted: held });
      first ??= word;
    }
    word = "";
    held = false;
    start = -1;
  };
  const opens = () => start < 0 && (first === undefined || groups.test(first));
  for (let i = 0; i < text.length; i++) {
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
    } else if (c === " " || c === "\t" || (c === "," && !/[%!][^%!:]+:~-?\d+$/.test(word))) flush();
    else if ("&|<>\n\r".includes(c) || (c === "(" && opens()) || (c === ")" && depth > 0)) {
      flush();
      depth += c === "(" ? 1 : c === ")" ? -1 : 0;
      const double = text[i + 1] === c && "&|>".includes(c);
      out.push({ text: double ? c + c : c, at: i, mark: true, quoted: false });
      if (!"<>".includes(c) && !(c === ")" && groups.test(first ?? ""))) first = undefined;
      if (double) i++;
    } else {
      if (start < 0) start = i;
      word += c;
    }
  }
  flush();
  return { pieces: out, open: quoted || depth > 0 };
}

const reference = /%([^%\s:]+)(?::([^%]*))?%|!([^!\s:]+)(?::([^!]*))?!/g;

/** `%i`, `%%i` and `%~fi` of a loop that is running, and what `set` left. */
export function expand(m: Machine, text: string): Val {
  if (!/[%!]/.test(text)) return literal(text);
  const loop = /%%?(?:~[a-z]*?)?([a-z])(?![\w%]|:[^\\\s])/i.exec(text);
  const item = loop && m.state.vars?.get(`%${loop[1]!.toLowerCase()}`)?.val;
  if (!item) return referenced(m, text);
  const [before, behind] = [text.slice(0, loop.index), text.slice(loop.index + loop[0].length)];
  return concat(concat(referenced(m, before), item), expand(m, behind));
}

/** `%name%`, `%name:~0,3%`, `!name:a=b!`; what is not known leaves a hole. */
function referenced(m: Machine, text: string): Val {
  if (!/[%!]/.test(text)) return literal(text);
  let known = true;
  let taint = 0;
  const out = text.replace(reference, (all: string, a?: string, how?: string, b?: string, late?: string, at = 0) => {
    const name = (a ?? b ?? "").toLowerCase();
    const held = m.state.vars?.get(name)?.val;
    const value = held?.known ? held.text : standard[name];
    if (value !== undefined) {
      m.work(value.length);
      return part(value, how ?? late ?? "");
    }
    // Text for another `cmd`, which may expand it later: `cmd /v:on /c "set x=rd&& !x! …"`.
    if ((b !== undefined && /\s/.test(text)) || /^(\*|~?\w*\d)/.test(name)) return all;
    // `like '%name%'` of WMI.
    if (text[at - 1] === "'" && text[at + all.length] === "'") return all;
    known = false;
    taint |= (held?.taint ?? 0) | (isSecretName(name) ? SECRET : UNKNOWN);
    return hole;
  });
  return known ? literal(out) : { ...unknown(taint), text: out };
}

/** `~from,count`, `old=new` and `*old=new` of a value. */
function part(value: string, how: string): string {
  const slice = /^~(-?\d+)(?:,(-?\d+))?$/.exec(how);
  if (slice) {
    const begin = Number(slice[1]) < 0 ? Math.max(0, value.length + Number(slice[1])) : Number(slice[1]);
    const count = slice[2] === undefined ? undefined : Number(slice[2]);
    return value.slice(begin, count === undefined ? undefined : count < 0 ? value.length + count : begin + count);
  }
  const eq = how.indexOf("=");
  if (eq < 1) return value;
  const [from, to] = [how.slice(0, eq).toLowerCase(), how.slice(eq + 1)];
  if (from.startsWith("*") && from.length > 1) {
    const at = value.toLowerCase().indexOf(from.slice(1));
    return at < 0 ? value : to + value.slice(at + from.length - 1);
  }
  return replaced(value, from, to);
}

/** Every `from`, in whatever case, is `to`. */
function replaced(value: string, from: string, to: string): string {
  const lower = value.toLowerCase();
  let out = "";
  let i = 0;
  for (let at = lower.indexOf(from); at >= 0; at = lower.indexOf(from, i)) {
    out += value.slice(i, at) + to;
    i = at + from.length;
  }
  return out + value.slice(i);
}

const standard: Record<string, string> = {
  userprofile: "~",
  homepath: "~",
  temp: "/tmp",
  tmp: "/tmp",
  systemroot: "C:\\Windows",
  windir: "C:\\Windows",
  systemdrive: "C:",
  comspec: "C:\\Windows\\System32\\cmd.exe",
  appdata: "~\\AppData\\Roaming",
  localappdata: "~\\AppData\\Local",
  programdata: "C:\\ProgramData",
  allusersprofile: "C:\\ProgramData",
  programfiles: "C:\\Program Files",
  "programfiles(x86)": "C:\\Program Files (x86)",
  programw6432: "C:\\Program Files",
  commonprogramfiles: "C:\\Program Files\\Common Files",
  public: "C:\\Users\\Public",
  homedrive: "C:",
  os: "Windows_NT",
  cd: ".",
};
