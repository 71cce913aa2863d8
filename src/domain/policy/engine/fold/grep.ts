/** `grep` on known text. */
import { finder } from "./regex.ts";
import type { Tools } from "./sed.ts";

interface Options {
  letters: string;
  patterns: string[];
  /** Lines shown behind and before one that matches. */
  after: number;
  before: number;
  most: number;
}

const valued = "efABCmd";

/** Options of `grep`, one by one or joined: `-oE pattern`, `-A2`, `--only-matching`. */
function options(args: readonly string[]): Options {
  const out: Options = { letters: "", patterns: [], after: 0, before: 0, most: Number.POSITIVE_INFINITY };
  let operand: string | undefined;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg.startsWith("--")) out.letters += long[arg] ?? "";
    else if (!/^-./.test(arg)) operand ??= arg;
    else {
      const at = [...arg].findIndex((letter, k) => k > 0 && (valued.includes(letter) || /\d/.test(letter)));
      out.letters += at < 0 ? arg.slice(1) : arg.slice(1, at);
      if (at >= 0) taken(out, arg[at]!, /\d/.test(arg[at]!) ? arg.slice(at) : arg.slice(at + 1) || (args[++i] ?? ""));
    }
  }
  if (out.patterns.length === 0 && operand !== undefined) out.patterns.push(operand);
  return out;
}

const long: Record<string, string> = {
  "--only-matching": "o",
  "--invert-match": "v",
  "--ignore-case": "i",
  "--extended-regexp": "E",
  "--perl-regexp": "P",
  "--fixed-strings": "F",
  "--line-regexp": "x",
  "--word-regexp": "w",
  "--line-number": "n",
};

function taken(out: Options, letter: string, value: string): void {
  const n = Number(value) || 0;
  if (letter === "e") out.patterns.push(value);
  else if (letter === "m") out.most = n;
  else if (letter === "f") out.letters += "f";
  if ("AC".includes(letter) || /\d/.test(letter)) out.after = n;
  if ("BC".includes(letter) || /\d/.test(letter)) out.before = n;
}

const plain = (text: string): string => text.replace(/[\\^$.*[\]]/g, "\\$&");

/** The output of `grep args` for a text; undefined: not to be told. */
export function grep(text: string, args: readonly string[], { work }: Tools): string | undefined {
  const { letters, patterns, after, before, most } = options(args);
  const has = (letter: string): boolean => letters.includes(letter);
  // `\\K` forgets what was matched so far.
  const told = patterns.length > 0 && !/[^ovinEPFxwshaq]/.test(letters) && !patterns.some(one => one.includes("\\K"));
  if (!told) return undefined;
  const finds = patterns
    .flatMap(one => one.split("\n"))
    .map(one => (has("F") ? plain(one) : one))
    .map(one => (has("w") ? `\\b${one}\\b` : one))
    .map(one => finder(one, has("E") || has("P"), letters, work));
  if (!finds.every(find => find !== undefined)) return undefined;
  const lines = text.replace(/\n$/, "").split("\n");
  const shown = new Set<number>();
  let out = "";
  let count = 0;
  for (const [i, line] of lines.entries()) {
    const found = finds.flatMap(find => find(line, !has("o")));
    const fits = has("x") ? found.some(f => f.start === 0 && f.end === line.length) : found.length > 0;
    if (fits === has("v") || count++ >= most) continue;
    if (has("o")) out += found.map(f => (f.end > f.start ? `${line.slice(f.start, f.end)}\n` : "")).join("");
    for (let k = Math.max(0, i - before); k <= Math.min(lines.length - 1, i + after); k++) shown.add(k);
  }
  if (has("o")) return out;
  return [...shown]
    .sort((a, b) => a - b)
    .map(k => `${has("n") ? `${k + 1}:` : ""}${lines[k]}\n`)
    .join("");
}
