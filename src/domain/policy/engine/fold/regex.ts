/** Regular expressions of grep, sed and awk (POSIX basic and extended, with what GNU adds), matched in linear time by RE2. */
import { RE2JS } from "re2js";

/** Told how many characters are looked through; throws when that were too many. */
export type Work = (chars: number) => void;

export interface Match {
  start: number;
  end: number;
  groups: readonly string[];
}

/** All that matches in a text, in order; with `once` only the first. */
export type Finder = (text: string, once: boolean) => Match[];

const LONGEST = 512;
/** What asking costs at all, in characters looked through. */
const CALL = 400;
const classes: Record<string, string> = {
  d: "\\d",
  D: "\\D",
  w: "\\w",
  W: "\\W",
  s: "\\s",
  S: "\\S",
  n: "\\n",
  t: "\\t",
  b: "\\b",
  B: "\\B",
};
const edges: Record<string, string> = { "<": "\\b", ">": "\\b", y: "\\b", "`": "\\A", "'": "\\z" };
const operators = "(){}|+?";

const escaped = (c: string): string => (/\w/.test(c) ? c : `\\${c}`);

/** Where a bracket expression that begins at `from` ends; -1: it does not. */
function closing(source: string, from: number): number {
  let at = from + 1;
  if (source[at] === "^") at++;
  if (source[at] === "]") at++;
  for (; at < source.length; at++) {
    if (source[at] === "]") return at;
    if (source[at] === "[" && source[at + 1] === ":") at = Math.max(at, source.indexOf(":]", at) + 1);
  }
  return -1;
}

/** The members of a bracket expression, where a backslash stands for itself unless it makes a control character. */
const members = (text: string): string =>
  text
    .replace(/\\(?![nt\\\]])/g, "\\\\")
    .replace(/^(\^?)\]/, "$1\\]")
    .replace(/\[(?!:)/g, "\\[");

/** The same expression as RE2 writes it; undefined where it has no such form. */
function translated(source: string, extended: boolean): string | undefined {
  let out = "";
  for (let i = 0; i < source.length; i++) {
    const c = source[i]!;
    if (c === "[") {
      const end = closing(source, i);
      if (end < 0) return undefined;
      out += `[${members(source.slice(i + 1, end))}]`;
      i = end;
    } else if (c === "\\") {
      const next = source[++i] ?? "\\";
      if (/\d/.test(next)) return undefined;
      if (operators.includes(next)) out += extended ? `\\${next}` : next;
      else out += classes[next] ?? edges[next] ?? escaped(next);
    } else if (operators.includes(c)) out += extended ? c : `\\${c}`;
    else if (c === "*" && /^$|[(|^]$/.test(out)) out += "\\*";
    else if (c === "^" && !extended && !/^$|[(|]$/.test(out)) out += "\\^";
    else if (c === "$" && !extended && i < source.length - 1 && !/^\\[)|]/.test(source.slice(i + 1))) out += "\\$";
    else out += c;
  }
  return out;
}

/** Counted repetitions are as long as what they stand for. */
function size(pattern: string): number {
  let all = pattern.length;
  for (const [, n, most] of pattern.matchAll(/\{(\d+)(?:,(\d*))?/g)) all += Number(most || n) * 8;
  return all;
}

/** Finds what the expression matches; undefined where it is none that can be told. */
export function finder(source: string, extended: boolean, flags: string, work: Work): Finder | undefined {
  const pattern = source.length > LONGEST ? undefined : translated(source, extended);
  if (pattern === undefined) return undefined;
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(
      pattern,
      (/[iI]/.test(flags) ? RE2JS.CASE_INSENSITIVE : 0) | (/[mM]/.test(flags) ? RE2JS.MULTILINE : 0),
    );
  } catch {
    return undefined;
  }
  const cost = size(pattern);
  return (text, once) => {
    work(CALL + text.length * cost * 4);
    const matcher = compiled.matcher(text);
    const found: Match[] = [];
    while (matcher.find()) {
      work(CALL / 2);
      // Nothing is no match right behind another one.
      if (matcher.end() === matcher.start() && matcher.start() === found.at(-1)?.end) continue;
      const groups: string[] = [];
      for (let g = 0; g <= matcher.groupCount(); g++) groups.push(matcher.group(g) ?? "");
      found.push({ start: matcher.start(), end: matcher.end(), groups });
      if (once) break;
    }
    return found;
  };
}
