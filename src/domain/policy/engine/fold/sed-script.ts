/** Scripts of `sed`, taken apart. */
import { type Finder, finder, type Work } from "./regex.ts";

/** One command with its addresses; lines count from 1, the last one is `Infinity`. */
export interface Command {
  name: string;
  from: number | Finder | undefined;
  to: number | Finder | undefined;
  not: boolean;
  /** Text of `a`, `i`, `c`, `e`; label of `b`, `t`, `:`. */
  text: string;
  flags: string;
  find: Finder | undefined;
  by: ((groups: readonly string[]) => string) | undefined;
  /** Which match `s///3` begins with. */
  nth: number;
  map: ReadonlyMap<string, string> | undefined;
  /** Index of the command before the one to go on with: the end of a block, a label. */
  goto: number;
}

class Unreadable extends Error {}
const refuse = (): never => {
  throw new Unreadable();
};

const MOST = 256;

class Reader {
  at = 0;
  readonly source: string;
  private readonly extended: boolean;
  private readonly work: Work;
  constructor(source: string, extended: boolean, work: Work) {
    this.source = source;
    this.extended = extended;
    this.work = work;
  }

  skip(what: RegExp): void {
    while (this.at < this.source.length && what.test(this.source[this.at]!)) this.at++;
  }

  /** Up to the delimiter, which a backslash takes its meaning from. */
  part(delimiter: string): string {
    let out = "";
    for (; this.at < this.source.length; this.at++) {
      const c = this.source[this.at]!;
      if (c === delimiter) {
        this.at++;
        return out;
      }
      if (c === "\\" && this.at + 1 < this.source.length) {
        const next = this.source[++this.at]!;
        out += next === delimiter && next !== "&" ? next : c + next;
      } else out += c;
    }
    return refuse();
  }

  line(): string {
    const end = this.source.indexOf("\n", this.at);
    const text = this.source.slice(this.at, end < 0 ? undefined : end);
    this.at = end < 0 ? this.source.length : end;
    return text;
  }

  finder(source: string, flags: string): Finder {
    return finder(source, this.extended, flags, this.work) ?? refuse();
  }

  address(): number | Finder | undefined {
    const rest = this.source.slice(this.at, this.at + 12);
    const number = /^\d+/.exec(rest)?.[0];
    if (number !== undefined) {
      this.at += number.length;
      return this.source[this.at] === "~" ? refuse() : Number(number);
    }
    if (rest[0] === "$") {
      this.at++;
      return Number.POSITIVE_INFINITY;
    }
    if (rest[0] !== "/" && rest[0] !== "\\") return undefined;
    this.at += rest[0] === "/" ? 1 : 2;
    const source = this.part(rest[0] === "/" ? "/" : (rest[1] ?? "/"));
    const flags = /^[IM]*/.exec(this.source.slice(this.at, this.at + 4))![0];
    this.at += flags.length;
    return this.finder(source, flags);
  }
}

const cased: Record<string, (text: string) => string> = {
  U: t => t.toUpperCase(),
  L: t => t.toLowerCase(),
  u: t => t.slice(0, 1).toUpperCase() + t.slice(1),
  l: t => t.slice(0, 1).toLowerCase() + t.slice(1),
};

/** What stands for a match: `&`, `\1`, `\n`, `\U…\E`. */
function replacement(text: string): (groups: readonly string[]) => string {
  const pieces = text.match(/\\[\s\S]|&|[^\\&]+|\\/g) ?? [];
  return groups => {
    let out = "";
    let whole: ((t: string) => string) | undefined;
    let once: ((t: string) => string) | undefined;
    for (const piece of pieces) {
      const after = piece[0] === "\\" ? piece[1] : undefined;
      if (after !== undefined && /[ULul]/.test(after)) {
        if (/[UL]/.test(after)) whole = cased[after];
        else once = cased[after];
        continue;
      }
      if (after === "E") {
        whole = undefined;
        continue;
      }
      let said = piece === "&" ? groups[0]! : piece;
      if (after !== undefined)
        said = /\d/.test(after) ? (groups[Number(after)] ?? "") : ({ n: "\n", t: "\t" }[after] ?? after);
      if (whole) said = whole(said);
      if (once && said !== "") {
        said = once(said);
        once = undefined;
      }
      out += said;
    }
    return out;
  };
}

function substitution(r: Reader, c: Command): void {
  const delimiter = r.source[r.at++] ?? refuse();
  const source = r.part(delimiter);
  const by = r.part(delimiter);
  const from = r.at;
  r.skip(/[gpIiMme\d]/);
  c.flags = r.source.slice(from, r.at);
  if (r.source[r.at] === "w") refuse();
  c.nth = Number(/\d+/.exec(c.flags)?.[0] ?? 1);
  c.find = r.finder(source, c.flags);
  c.by = replacement(by);
}

function transliteration(r: Reader, c: Command): void {
  const delimiter = r.source[r.at++] ?? refuse();
  const plain = (text: string): string[] => [...text.replace(/\\n/g, "\n").replace(/\\\\/g, "\\")];
  const from = plain(r.part(delimiter));
  const to = plain(r.part(delimiter));
  if (from.length !== to.length) refuse();
  c.map = new Map(from.map((l, i) => [l, to[i]!]));
}

function body(r: Reader, c: Command): void {
  if (c.name === "s") substitution(r, c);
  else if (c.name === "y") transliteration(r, c);
  else if ("aic".includes(c.name)) {
    const text = r.line();
    c.text = text.trim() === "\\" ? ((r.at += 1), r.line()) : text.replace(/^\s*\\?/, "").replace(/\\(.)/g, "$1");
  } else if (c.name === "e") c.text = r.line().trim();
  else if (":btT".includes(c.name)) {
    const from = r.at;
    r.skip(c.name === ":" ? /[^\n;]/ : /[^\n;}]/);
    c.text = r.source.slice(from, r.at).trim();
  } else if (!"{}=dpPqQhHgGxnNz".includes(c.name)) refuse();
  else if ("qQ".includes(c.name)) r.skip(/[\s\d]/);
}

function command(r: Reader): Command | undefined {
  r.skip(/[\s;]/);
  while (r.source[r.at] === "#") {
    r.line();
    r.skip(/[\s;]/);
  }
  if (r.at >= r.source.length) return undefined;
  const from = r.address();
  let to: number | Finder | undefined;
  if (from !== undefined && r.source[r.at] === ",") {
    r.at++;
    to = r.address() ?? refuse();
  }
  r.skip(/\s/);
  const not = r.source[r.at] === "!";
  r.skip(/[!\s]/);
  const name = r.source[r.at++] ?? refuse();
  const c: Command = {
    name,
    from,
    to,
    not,
    text: "",
    flags: "",
    find: undefined,
    by: undefined,
    nth: 1,
    map: undefined,
    goto: -1,
  };
  body(r, c);
  return c;
}

/** Where blocks end and labels stand. */
function linked(list: readonly Command[]): void {
  const open: Command[] = [];
  for (const [i, c] of list.entries()) {
    if (c.name === "{") open.push(c);
    if (c.name === "}") (open.pop() ?? refuse()).goto = i;
    if ("btT".includes(c.name))
      c.goto = c.text === "" ? list.length : list.findIndex(o => o.name === ":" && o.text === c.text);
    if ("btT".includes(c.name) && c.goto < 0) refuse();
  }
  if (open.length > 0) refuse();
}

/** The commands of a script; undefined where one of them cannot be followed. */
export function parsed(source: string, extended: boolean, work: Work): Command[] | undefined {
  const r = new Reader(source, extended, work);
  const list: Command[] = [];
  work(source.length * 4);
  try {
    for (let c = command(r); c !== undefined; c = command(r)) {
      list.push(c);
      if (list.length > MOST) return undefined;
    }
    linked(list);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
  return list;
}
