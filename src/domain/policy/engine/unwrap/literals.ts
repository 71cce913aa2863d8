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

/** What else a text may say, by what the code around it does to texts. */
const disguises: readonly (readonly [RegExp, (text: string) => string | undefined])[] = [
  [/::-1|revers|strrev/i, reversed],
  [/rot_?13/i, rot13],
  [
    /b(ase)?64|atob|unpack1?\(["']m|["']m0?["']/i,
    text => (/^[\w+/=-]{6,}$/.test(text) ? base64Decode(text) : undefined),
  ],
  [/hex|H\*/i, text => (/^(?:[0-9a-f]{2}){4,}$/i.test(text) ? hexDecode(text) : undefined)],
];

/** The commands in one text of the code; most texts hold none. */
export function commandsIn(text: string, code: string): string[] {
  if (looksLikeCommand(text)) return [text];
  const out: string[] = [];
  for (const [fits, undo] of disguises) {
    const found = text.length > 5 && fits.test(code) ? undo(text) : undefined;
    if (found !== undefined && looksLikeCommand(found)) out.push(found);
  }
  return out;
}

/** The text that numbers spell: `chr(114), chr(109)`, `[114, 109, 32]`. */
export function spelled(numbers: readonly number[], code: string): string | undefined {
  if (numbers.length < 4 || !/chr|%c|fromChar|bytes|char/i.test(code)) return undefined;
  const text = String.fromCharCode(...numbers);
  return looksLikeCommand(text) ? text : undefined;
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
      if (words.length > 1) out.push(words.join(" "));
      words = [];
    }
  }
  if (words.length > 1) out.push(words.join(" "));
  return out;
}
