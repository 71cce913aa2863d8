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
  /** Names hold dashes: `delete-file`. */
  dashes?: boolean;
  /** `[[…]]` strings (lua), `{…}` strings (tcl). */
  brackets?: boolean;
}

const quoteLike = /(?:q|qq|qx|qw|%x|%q|%Q|%w)\s*([{([<|/!~])/y;
const closing: Record<string, string> = { "{": "}", "(": ")", "[": "]", "<": ">" };
const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", "0": "\0", e: "\x1b" };

/** Splits code into names, strings and marks; comments and regular expressions are passed over. Never throws. */
export function tokens(code: string, lexis: Lexis): Token[] {
  const out: Token[] = [];
  let i = 0;
  while (i < code.length) {
    const c = code.charCodeAt(i);
    if (c === 32 || c === 9 || c === 13) i++;
    else if (c === 10) i = push(out, "mark", "\n", i, i + 1);
    else if (!(kinds[c]! & (LETTER | DIGIT)) && isComment(code, i, lexis.comments)) i = lineEnd(code, i);
    else i = token(code, i, lexis, out);
  }
  return out;
}

/** Kinds of characters, as bits. Code is read by them and not by patterns, which would cost a list for each token. */
const [LETTER, DIGIT, HEX, SIGIL] = [1, 2, 4, 8];
const kinds = new Uint8Array(65_536);
const mark = (characters: string, kind: number): void => {
  for (const c of characters) kinds[c.charCodeAt(0)]! |= kind;
};
mark("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", LETTER);
mark("0123456789", DIGIT);
mark("0123456789abcdefABCDEF", HEX);
mark("$@%", SIGIL);

function isComment(code: string, i: number, starts: readonly string[]): boolean {
  for (let k = 0; k < starts.length; k++) if (code.startsWith(starts[k]!, i)) return true;
  return false;
}

/** The first position that is none of these kinds any more. */
function runEnd(code: string, from: number, kind: number): number {
  let end = from;
  while (end < code.length && kinds[code.charCodeAt(end)]! & kind) end++;
  return end;
}

const isLetter = (code: string, at: number): boolean =>
  at < code.length && (kinds[code.charCodeAt(at)]! & LETTER) !== 0;

/** Where a name ends: `$x`, `$0`, `os.system`, `A::b`, `$o->m`, `save!`; the same position when there is none. */
function nameEnd(code: string, from: number, dashes: boolean): number {
  if (code.startsWith("$0", from)) return from + 2;
  const start = runEnd(code, from, SIGIL);
  if (!isLetter(code, start)) return start > from ? from + 1 : from;
  let end = start;
  for (let part = start; isLetter(code, part); part = end + joint(code, end, dashes))
    end = runEnd(code, part, LETTER | DIGIT);
  const c = end < code.length ? code[end] : "";
  return c === "!" || c === "?" ? end + 1 : end;
}

/** Length of what joins the parts of a name. */
function joint(code: string, at: number, dashes: boolean): number {
  if (code[at] === "." || (dashes && code[at] === "-")) return 1;
  if (code[at] === ":") return code[at + 1] === ":" ? 2 : 1;
  return code.startsWith("->", at) ? 2 : 0;
}

function numberEnd(code: string, from: number): number {
  const hex = code.startsWith("0x", from) ? runEnd(code, from + 2, HEX) : 0;
  return hex > from + 2 ? hex : runEnd(code, from, DIGIT);
}

function token(code: string, i: number, lexis: Lexis, out: Token[]): number {
  const c = code[i]!;
  if (lexis.perlQuotes) {
    const end = quoted(code, i, out);
    if (end > 0) return end;
  }
  if (c === '"' || c === "'" || c === "`") return string(code, i, lexis, out);
  if (lexis.brackets && code.startsWith("[[", i)) return bracketed(code, i, out);
  if (c === "/" && lexis.regex && operandMayBegin(out)) {
    const end = regex(code, i);
    // perl: `/(?{code})/`
    return lexis.perlQuotes && code.slice(i, end).includes("(?{") ? i + 1 : end;
  }
  if (c === "/" && code[i + 1] === "*") return code.indexOf("*/", i) < 0 ? code.length : code.indexOf("*/", i) + 2;
  const n = nameEnd(code, i, lexis.dashes === true);
  if (n > i) return push(out, "name", code.slice(i, n), i, n);
  const d = numberEnd(code, i);
  if (d > i) return push(out, "number", code.slice(i, d), i, d);
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
  const fence = q === "'" && code.startsWith("'''", i) ? "'''" : q === '"' && code.startsWith('"""', i) ? '"""' : q;
  let text = "";
  let k = i + fence.length;
  let from = k;
  for (; k < code.length; k++) {
    const c = code[k];
    if (c === q && (fence === q || code.startsWith(fence, k))) break;
    if (c !== "\\" || k + 1 >= code.length) continue;
    const [decoded, taken] = escapeAt(code, k + 1);
    text += code.slice(from, k) + decoded;
    k += taken;
    from = k + 1;
  }
  const kind = q === "`" && lexis.backticks === "command" ? "command" : "string";
  return push(out, kind, text + code.slice(from, k), i, k + fence.length);
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
  const octal = c >= "0" && c <= "7" ? /^[0-7]{2,3}/.exec(code.slice(at, at + 3)) : null;
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

/** Words that no operand ends with: a pattern stands behind them and no division. */
const beforeOperand = /^(?:split|grep|if|unless|and|or|not|return|case|when|while|until|typeof)$/;

function operandMayBegin(out: Token[]): boolean {
  const last = out[out.length - 1];
  if (!last) return true;
  return last.kind === "mark" ? !/[)\]}]/.test(last.text) : last.kind === "name" && beforeOperand.test(last.text);
}

function regex(code: string, i: number): number {
  for (let k = i + 1; k < code.length; k++) {
    if (code[k] === "\\") k++;
    else if (code[k] === "/") return k + 1;
    else if (code[k] === "\n") break;
  }
  return i + 1;
}
