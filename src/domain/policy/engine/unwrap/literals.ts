/**
 * Commands that stand in code as texts, plain or in disguise. Which call they end up in is often not to be seen (an alias,
 * a variable, `getattr`): code that starts programs at all and holds such a text runs it.
 */
import { base64Decode, hexDecode, rot13 } from "../fold/encodings.ts";
import { looksLikeCommand } from "../programs/passed-on.ts";
import type { Token } from "./tokens.ts";

/** Words of code that starts programs or runs text. */
export const starts =
  /system|exec|spawn|popen|subprocess|\b(?:sub)?process\b|child_process|shell|\brun|\beval|getattr|invoke|\bsend\b|cmd|command|timeit|\$`|\bcall/i;

/** `fork while fork`, `while True: os.fork()`, `loop { fork }`. */
export const forksForEver =
  /\bfork\b(?:\(\))?\s+while\b|\bloop\s*(?:\{|do)\s*fork\b|\bwhile\s*(?:\(\s*)?(?:1|true|True)[\s):{]*[^\n;]{0,60}\bfork\(/;

const reversed = (text: string): string => [...text].reverse().join("");

/** `chr(ord(c) - 1)`, `c ^ 7`: each character moved by what the code adds, takes away or crosses with. */
function shifted(text: string, code: string): string | undefined {
  for (const [, sign, given] of code.matchAll(/([-+^])\s?(0x[\da-f]{1,2}|\d{1,3})\b/gi)) {
    const by = Number(given);
    const moved = [...text].map(c => {
      const at = c.charCodeAt(0);
      return String.fromCharCode(sign === "^" ? at ^ by : sign === "+" ? at + by : at - by);
    });
    if (looksLikeCommand(moved.join(""))) return moved.join("");
  }
  return undefined;
}

const percent = (text: string): string | undefined =>
  text.includes("%")
    ? text.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : undefined;

/** `maketrans("abc", "xyz")`, `.tr("abc", "xyz")`, `tr/abc/xyz/`: each character for another. */
const byCall = /["']([^"']+)["'],\s*["']([^"']+)["']/;
const bySlashes = /\b(?:tr|y)\/([^/]+)\/([^/]+)\//;

function translated(text: string, code: string): string | undefined {
  const at = code.search(/(?:maketrans|strtr|\btr)\(/);
  const [, from, to] = (at < 0 ? undefined : byCall.exec(code.slice(at, at + 400))) ?? bySlashes.exec(code) ?? [];
  const made = from === undefined ? "" : [...text].map(c => to![from.indexOf(c)] ?? c).join("");
  return looksLikeCommand(made) ? made : undefined;
}

/** What else a text may say, by what the code around it does to texts. */
const disguises: readonly (readonly [RegExp, (text: string, code: string) => string | undefined])[] = [
  [/::-1|revers|strrev/i, reversed],
  [/rot_?13/i, rot13],
  [
    /b(ase)?64|atob|unpack1?\(["']m|["']m0?["']/i,
    text => (/^[\w+/=-]{6,}$/.test(text) ? base64Decode(text) : undefined),
  ],
  [/\bord\b|charCodeAt|codePointAt|\bbytes?\b|unpack|\bchr\b|fromCharCode/, shifted],
  [/maketrans|\btr\b|strtr/, translated],
  [/decodeURI|unescape|urldecode|unquote/, percent],
  [/hex|H\*/i, text => (/^(?:[0-9a-f]{2}){4,}$/i.test(text) ? hexDecode(text) : undefined)],
];

/** The commands in one text of the code; most texts hold none. */
export function commandsIn(text: string, code: string): string[] {
  if (looksLikeCommand(text)) return [text];
  const out: string[] = [];
  for (const [fits, undo] of disguises) {
    const found = text.length > 5 && fits.test(code) ? undo(text, code) : undefined;
    if (found !== undefined && looksLikeCommand(found)) out.push(found);
  }
  return out;
}

/** The text that numbers spell: `chr(114), chr(109)`, `[114, 109, 32]`. */
export function spelled(numbers: readonly number[], code: string): string | undefined {
  if (numbers.length < 4 || !/chr|%c|fromChar|bytes|char|pack/i.test(code)) return undefined;
  const text = String.fromCharCode(...numbers);
  return looksLikeCommand(text) ? text : undefined;
}

/** Texts of a list, in both orders; those of one character each make a word. */
function spoken(words: readonly string[], out: string[]): void {
  if (words.length < 2) return;
  const by = words.length > 3 && words.every(word => word.length < 2) ? "" : " ";
  out.push(words.join(by), [...words].reverse().join(by));
}

/** Every text of the code, and texts that stand side by side as one: `"rm", "-rf", "/"`, `"rm" "-rf" "/"`. */
export function phrases(list: readonly Token[]): string[] {
  const out: string[] = [];
  let words: string[] = [];
  for (const t of list) {
    if (t.kind === "string") {
      out.push(t.text);
      words.push(t.text);
    } else if (t.text !== ",") {
      spoken(words, out);
      words = [];
    }
  }
  spoken(words, out);
  return out;
}
