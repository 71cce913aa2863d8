/**
 * Commands that stand in code as texts, plain or in disguise. Which call they end up in is often not to be seen (an alias,
 * a variable, `getattr`): code that starts programs at all and holds such a text runs it.
 */
import { base64Decode, hexDecode, rot13 } from "../fold/encodings.ts";
import { looksLikeCommand } from "../programs/passed-on.ts";
import type { Token } from "./tokens.ts";

/** Words of code that starts programs or runs text. */
export const starts =
  /system|exec|spawn|popen|subprocess|\b(?:sub)?process\b|child_process|shell|\brun|\beval|getattr|invoke|send\b|cmd|command|timeit|\$`|\bcall/i;

/** `fork while fork`, `while True: os.fork()`, `loop { fork }`. */
export const forksForEver =
  /\bfork\b(?:\(\))?\s+while\b|\bloop\s*(?:\{|do)\s*fork\b|\bwhile\s*(?:\(\s*)?(?:1|true|True)[\s):{]*[^\n;]{0,60}\bfork\(/;

const reversed = (text: string): string => [...text].reverse().join("");

/** What a text was before the code's disguise; `undefined` where it is no command in that one. */
type Undo = (text: string) => string | undefined;
/** Counts characters looked through. */
type Work = (chars: number) => void;

/** `chr(ord(c) - 1)`, `c ^ 7`: each character moved by what the code adds, takes away or crosses with. */
function shifted(code: string, work: Work): Undo {
  const shifts = new Set([...code.matchAll(/[-+^]\s?(?:0x[\da-f]{1,2}|\d{1,3})\b/gi)].map(([all]) => all));
  return text => {
    for (const shift of shifts) {
      work(text.length);
      const moved = movedBy(text, shift[0]!, Number(shift.slice(1)));
      if (looksLikeCommand(moved)) return moved;
    }
    return undefined;
  };
}

function movedBy(text: string, sign: string, by: number): string {
  const moved = [...text].map(c => {
    const at = c.charCodeAt(0);
    return String.fromCharCode(sign === "^" ? at ^ by : sign === "+" ? at + by : at - by);
  });
  return moved.join("");
}

const percent = (text: string): string | undefined =>
  text.includes("%")
    ? text.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : undefined;

/** `maketrans("abc", "xyz")`, `.tr("abc", "xyz")`, `tr/abc/xyz/`: each character for another. */
const byCall = /["']([^"']+)["'],\s*["']([^"']+)["']/;
const bySlashes = /\b(?:tr|y)\/([^/]+)\/([^/]+)\//;

function translated(code: string, work: Work): Undo {
  const at = code.search(/(?:maketrans|strtr|\btr)\(/);
  const [, from, to] = (at < 0 ? undefined : byCall.exec(code.slice(at, at + 400))) ?? bySlashes.exec(code) ?? [];
  if (from === undefined) return () => undefined;
  return text => {
    work(text.length);
    return [...text].map(c => to![from.indexOf(c)] ?? c).join("");
  };
}

/** What else a text may say, by what the code around it does to texts. */
const disguises: readonly (readonly [RegExp, (code: string, work: Work) => Undo])[] = [
  [/::-1|revers|strrev/i, () => reversed],
  [/rot_?13/i, () => rot13],
  [
    /b(ase)?64|atob|unpack1?\(["']m|["']m0?["']/i,
    () => text => (/^[\w+/=-]{6,}$/.test(text) ? base64Decode(text) : undefined),
  ],
  [/\bord\b|charCodeAt|codePointAt|\bbytes?\b|unpack|\bchr\b|fromCharCode/, shifted],
  [/maketrans|\btr\b|strtr/, translated],
  [/decodeURI|unescape|urldecode|unquote/, () => percent],
  [/hex|H\*/i, () => text => (/^(?:[0-9a-f]{2}){4,}$/i.test(text) ? hexDecode(text) : undefined)],
];

/** The commands among the texts of the code, each as it is or in disguise; most texts hold none. */
export function commandsAmong(texts: readonly string[], code: string, work: Work): string[] {
  const undo = disguises.filter(([fits]) => fits.test(code)).map(([, undoing]) => undoing(code, work));
  return texts.flatMap(text => {
    if (looksLikeCommand(text)) return [text];
    if (text.length <= 5) return [];
    return undo.map(one => one(text)).filter(found => found !== undefined && looksLikeCommand(found)) as string[];
  });
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

/** `new("rm").arg("-rf").args(["/"])`: how many of the tokens from `)` on lead to the next argument. */
function argument(list: readonly Token[], i: number): number {
  if (list[i]!.text !== ")" || list[i + 1]?.text !== "." || !/^args?$/.test(list[i + 2]?.text ?? "")) return 0;
  let end = i + 4;
  while (/^[&[]$/.test(list[end]?.text ?? "")) end++;
  return end - i - 1;
}

/** Every text of the code, and texts that stand side by side as one: `"rm", "-rf", "/"`, `"rm" "-rf" "/"`. */
export function phrases(list: readonly Token[]): string[] {
  const out: string[] = [];
  let words: string[] = [];
  for (let i = 0; i < list.length; i++) {
    const t = list[i]!;
    i += argument(list, i);
    if (t.kind === "string") {
      out.push(t.text);
      words.push(t.text);
    } else if (t.text !== "," && list[i] === t) {
      spoken(words, out);
      words = [];
    }
  }
  spoken(words, out);
  return out;
}
