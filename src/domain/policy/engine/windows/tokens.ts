/** A piece of PowerShell source. Groups keep their inner source, which is read again when it is needed. */
export interface Piece {
  kind: "word" | "string" | "expand" | "variable" | "group" | "sub" | "block" | "table" | "index" | "mark" | "end";
  text: string;
  at: number;
  /** Stands directly after the piece before. */
  joined: boolean;
  /** The quote or bracket that ends it is missing. */
  open?: boolean;
}

const closing: Record<string, string> = { "(": ")", "{": "}", "[": "]" };
const variable =
  /\$(?:\{[^}]*\}|(?:(?:env|alias|function|variable|global|script|local|private|using):)?[A-Za-z_?^$]\w*|[?^$_])/iy;
/** Where a variable lives says nothing about what it holds. */
export const scope = /^(variable|global|script|local|private|using):/i;
const word = /(?:`[\s\S]|[^\s;|&(){}"'`$,=[\]<>+]|\$(?![\w{(?^$]))(?:`[\s\S]|[^\s;|&(){}"'`$,[\]<>]|\$(?![\w{(?^$]))*/y;

/** Splits source into pieces; backtick escapes, comments and both kinds of strings are taken care of. */
export function pieces(source: string): Piece[] {
  const out: Piece[] = [];
  let i = 0;
  let joined = false;
  while (i < source.length) {
    const c = source[i]!;
    if (c === " " || c === "\t" || c === "\r") {
      joined = false;
      i++;
    } else if (c === "`" && /[\r\n]/.test(source[i + 1] ?? "")) i += 2;
    else if (c === "#" && !joined) i = until(source, i, "\n");
    else if (source.startsWith("<#", i)) {
      const close = until(source, i, "#>");
      if (close === source.length) out.push({ kind: "end", text: ";", at: i, joined: false, open: true });
      i = close + 2;
    } else {
      const piece = one(source, i, joined);
      out.push(piece.piece);
      i = piece.next;
      joined = piece.piece.kind !== "end";
    }
  }
  return out;
}

function one(source: string, i: number, joined: boolean): { piece: Piece; next: number } {
  const c = source[i]!;
  const make = (kind: Piece["kind"], text: string, next: number) => ({ piece: { kind, text, at: i, joined }, next });
  if (c === "\n" || c === ";") return make("end", c, i + 1);
  if (source.startsWith("&&", i) || source.startsWith("||", i)) return make("end", c, i + 2);
  if (c === "|") return make("mark", "|", i + 1);
  if (source.startsWith("@'", i) || source.startsWith('@"', i)) return hereString(source, i, joined);
  if (c === "'" || c === '"') return string(source, i, joined);
  if (source.startsWith("$(", i) || source.startsWith("@(", i)) return group(source, i, i + 1, "sub", joined);
  if (c === "(") return group(source, i, i, "group", joined);
  if (c === "{") return group(source, i, i, "block", joined);
  if (source.startsWith("@{", i)) return group(source, i, i + 1, "table", joined);
  if (c === "[") return group(source, i, i, "index", joined);
  variable.lastIndex = word.lastIndex = i;
  const v = variable.exec(source);
  if (v) return make("variable", v[0].replace(/^\$\{?|\}$/g, "").replace(scope, ""), i + v[0].length);
  const w = word.exec(source);
  if (w) return make("word", w[0].replace(/`([\s\S])/g, "$1"), i + w[0].length);
  return make("mark", c, i + 1);
}

function until(source: string, from: number, end: string): number {
  const at = source.indexOf(end, from);
  return at < 0 ? source.length : at;
}

function hereString(source: string, i: number, joined: boolean): { piece: Piece; next: number } {
  const q = source[i + 1]!;
  const end = until(source, i, `\n${q}@`);
  const kind = q === "'" ? "string" : "expand";
  const text = source.slice(source.indexOf("\n", i) + 1, end);
  return { piece: { kind, text, at: i, joined, open: end === source.length }, next: end + 3 };
}

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", "0": "\0" };

function string(source: string, i: number, joined: boolean): { piece: Piece; next: number } {
  const q = source[i]!;
  let text = "";
  let k = i + 1;
  for (; k < source.length; k++) {
    const c = source[k]!;
    if (c === q && source[k + 1] === q) text += source[k++];
    else if (c === q) break;
    else if (c === "`" && q === '"')
      text += escapes[source[++k] ?? ""] ?? (source[k] === "$" ? "\u0001" : (source[k] ?? ""));
    else text += c;
  }
  const kind = q === "'" ? "string" : "expand";
  return { piece: { kind, text, at: i, joined, open: k >= source.length }, next: k + 1 };
}

const hereOpens = /^@['"]\r?\n/;

function group(
  source: string,
  at: number,
  open: number,
  kind: Piece["kind"],
  joined: boolean,
): { piece: Piece; next: number } {
  const stack = [closing[source[open]!]!];
  let k = open + 1;
  for (; k < source.length && stack.length > 0; k++) {
    const c = source[k]!;
    if (c === "`") k++;
    else if (c === "#" && /[\s{(;]/.test(source[k - 1]!)) k = until(source, k, "\n") - 1;
    else if (source.startsWith("<#", k)) k = until(source, k, "#>") + 1;
    else if (c === "@" && hereOpens.test(source.slice(k, k + 4))) k = hereString(source, k, false).next - 1;
    else if (c === "'" || c === '"') k = string(source, k, false).next - 1;
    else if (closing[c]) stack.push(closing[c]);
    else if (c === stack.at(-1)) stack.pop();
  }
  const closed = stack.length === 0;
  const inner = source.slice(open + 1, closed ? k - 1 : k);
  return { piece: { kind, text: inner, at, joined, open: !closed }, next: k };
}
