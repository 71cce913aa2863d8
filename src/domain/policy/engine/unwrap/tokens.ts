/** What the scanner sees of a program in a scripting language. */
export interface Token {
  kind: "name" | "string" | "number" | "mark" | "command";
  text: string;
  at: number;
}

export interface Lexis {
  /** Start a comment that runs to the end of the line. */
  comments: readonly string[];
  /** Backticks hold a shell command (perl, ruby, php); otherwise a string (js). */
  backticks?: "command" | "string";
  /** `/…/` is a regular expression where an operand may begin. */
  regex?: boolean;
  /** `q{}`, `qx{}`, `%x()`. */
  perlQuotes?: boolean;
  /** `[[…]]` strings (lua), `{…}` strings (tcl). */
  brackets?: boolean;
}

const MAX_TOKENS = 3000;
const name = /\$0|[$@%]*[A-Za-z_]\w*(?:(?:\.|::?|->)[A-Za-z_]\w*)*[!?]?|[$@%]/y;
const digits = /0x[0-9a-fA-F]+|\d+/y;
const quoteLike = /(?:q|qq|qx|qw|%x|%q|%Q|%w)\s*([{([<|/!~])/y;
const closing: Record<string, string> = { "{": "}", "(": ")", "[": "]", "<": ">" };
const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", "0": "\0", e: "\x1b" };

/** Splits code into names, strings and marks; comments and regular expressions are passed over. Never throws. */
export function tokens(code: string, lexis: Lexis): Token[] {
  const out: Token[] = [];
  let i = 0;
  while (i < code.length && out.length < MAX_TOKENS) {
    const c = code[i]!;
    if (c === " " || c === "\t" || c === "\r") i++;
    else if (c === "\n") i = push(out, "mark", "\n", i, i + 1);
    else if (lexis.comments.some(k => code.startsWith(k, i))) i = lineEnd(code, i);
    else i = token(code, i, lexis, out);
  }
  return out;
}

function token(code: string, i: number, lexis: Lexis, out: Token[]): number {
  const c = code[i]!;
  if (lexis.perlQuotes) {
    const end = quoted(code, i, out);
    if (end > 0) return end;
  }
  if (c === '"' || c === "'" || c === "`") return string(code, i, lexis, out);
  if (lexis.brackets && code.startsWith("[[", i)) return bracketed(code, i, out);
  if (c === "/" && lexis.regex && operandMayBegin(out)) return regex(code, i);
  if (c === "/" && code[i + 1] === "*") return code.indexOf("*/", i) < 0 ? code.length : code.indexOf("*/", i) + 2;
  name.lastIndex = digits.lastIndex = i;
  const n = name.exec(code);
  if (n) return push(out, "name", n[0], i, i + n[0].length);
  const d = digits.exec(code);
  if (d) return push(out, "number", d[0], i, i + d[0].length);
  return push(out, "mark", c, i, i + 1);
}

function push(out: Token[], kind: Token["kind"], text: string, at: number, next: number): number {
  out.push({ kind, text, at });
  return next;
}

function lineEnd(code: string, i: number): number {
  const at = code.indexOf("\n", i);
  return at < 0 ? code.length : at;
}

function string(code: string, i: number, lexis: Lexis, out: Token[]): number {
  const q = code[i]!;
  const triple = code.startsWith(q.repeat(3), i) && q !== "`";
  const open = triple ? 3 : 1;
  const fence = triple ? q.repeat(3) : q;
  let text = "";
  let k = i + open;
  for (; k < code.length && !code.startsWith(fence, k); k++) {
    if (code[k] !== "\\" || k + 1 >= code.length) {
      text += code[k];
      continue;
    }
    const [decoded, taken] = escapeAt(code, k + 1);
    text += decoded;
    k += taken;
  }
  const kind = q === "`" && lexis.backticks === "command" ? "command" : "string";
  return push(out, kind, text, i, k + open);
}

function escapeAt(code: string, at: number): [string, number] {
  const c = code[at]!;
  if (c === "x") {
    const hex = /^\{?([0-9a-fA-F]{1,6})\}?/.exec(code.slice(at + 1, at + (code[at + 1] === "{" ? 9 : 3)));
    if (hex) return [String.fromCodePoint(Number.parseInt(hex[1]!, 16) & 0x1fffff), 1 + hex[0].length];
  }
  if (c === "u") {
    const hex = /^\{?([0-9a-fA-F]{1,6})\}?/.exec(code.slice(at + 1, at + (code[at + 1] === "{" ? 9 : 5)));
    if (hex) return [String.fromCharCode(Number.parseInt(hex[1]!, 16)), 1 + hex[0].length];
  }
  const octal = /^[0-7]{2,3}/.exec(code.slice(at, at + 3));
  if (octal) return [String.fromCharCode(Number.parseInt(octal[0], 8)), octal[0].length];
  return [escapes[c] ?? c, 1];
}

function bracketed(code: string, i: number, out: Token[]): number {
  const end = code.indexOf("]]", i);
  const stop = end < 0 ? code.length : end;
  return push(out, "string", code.slice(i + 2, stop), i, stop + 2);
}

function quoted(code: string, i: number, out: Token[]): number {
  quoteLike.lastIndex = i;
  const found = quoteLike.exec(code);
  if (!found || /\w/.test(code[i - 1] ?? " ")) return -1;
  const close = closing[found[1]!] ?? found[1]!;
  const from = i + found[0].length;
  const end = code.indexOf(close, from);
  const stop = end < 0 ? code.length : end;
  const kind = found[0].includes("x") ? "command" : "string";
  return push(out, kind, code.slice(from, stop), i, stop + 1);
}

function operandMayBegin(out: Token[]): boolean {
  const last = out.at(-1);
  if (!last) return true;
  return last.kind === "mark" && !/[)\]}]/.test(last.text);
}

function regex(code: string, i: number): number {
  for (let k = i + 1; k < code.length; k++) {
    if (code[k] === "\\") k++;
    else if (code[k] === "/") return k + 1;
    else if (code[k] === "\n") break;
  }
  return i + 1;
}
