/** Backslash escapes of `$'…'`, `echo -e` and `printf`. */
const simple: Record<string, string> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

const hex = /^[0-9a-fA-F]+/;
const octal = /^[0-7]{1,3}/;
const braced = /^\{\s*([0-9a-fA-F]+)\s*\}/;

function point(code: number): string {
  return code > 0x10ffff || Number.isNaN(code) ? "\ufffd" : String.fromCodePoint(code);
}

/**
 * Decodes backslash escapes: `$'…'` (bash manual §3.1.2.4), `echo -e`, `printf`.
 * `$'\x{72}'` is accepted by bash and is missing from most parsers, therefore our own.
 */
export function decodeEscapes(text: string, style: "ansi-c" | "echo" | "printf" = "ansi-c"): string {
  if (!text.includes("\\")) return text;
  let out = "";
  for (let i = 0; i < text.length; ) {
    const at = text.indexOf("\\", i);
    if (at < 0 || at === text.length - 1) return out + text.slice(i);
    out += text.slice(i, at);
    const [decoded, length] = escapeAt(text, at + 1, style);
    if (length < 0 || (decoded === "\0" && style === "ansi-c")) return out;
    out += decoded;
    i = at + 1 + length;
  }
  return out;
}

/** One escape after the backslash: what it stands for and how many characters it took; -1 ends the output (`\c`). */
function escapeAt(text: string, at: number, style: "ansi-c" | "echo" | "printf"): [string, number] {
  const c = text[at]!;
  if (simple[c] !== undefined) return [simple[c], 1];
  if (c === "x") return hexAt(text, at);
  if (c === "u" || c === "U") return unicodeAt(text, at, c === "u" ? 4 : 8);
  if (c >= "0" && c <= "7") return octalAt(text, at, style);
  if (c === "c") return style === "ansi-c" ? [point(text.charCodeAt(at + 1) & 0x1f), 2] : ["", -1];
  if (c === "\\") return ["\\", 1];
  if (style === "ansi-c" && (c === "'" || c === '"' || c === "?")) return [c, 1];
  if (style === "printf" && (c === "'" || c === '"')) return [c, 1];
  return [`\\${c}`, 1];
}

function hexAt(text: string, at: number): [string, number] {
  const inBraces = braced.exec(text.slice(at + 1, at + 24));
  if (inBraces) return [point(Number.parseInt(inBraces[1]!, 16) & 0xff), 1 + inBraces[0].length];
  const digits = hex.exec(text.slice(at + 1, at + 3));
  return digits ? [point(Number.parseInt(digits[0], 16)), 1 + digits[0].length] : ["\\x", 1];
}

function unicodeAt(text: string, at: number, most: number): [string, number] {
  const digits = hex.exec(text.slice(at + 1, at + 1 + most));
  return digits ? [point(Number.parseInt(digits[0], 16)), 1 + digits[0].length] : [`\\${text[at]}`, 1];
}

function octalAt(text: string, at: number, style: "ansi-c" | "echo" | "printf"): [string, number] {
  const from = style === "echo" && text[at] === "0" ? at + 1 : at;
  const digits = octal.exec(text.slice(from, from + 3));
  const length = from - at + (digits?.[0].length ?? 0);
  if (!digits) return ["\0", length || 1];
  return [point(Number.parseInt(digits[0], 8) & 0xff), length];
}
