/**
 * Globs over words: `*` stands for any text, `\*` for a star. Linear in text times pattern, no back-tracking blow-up.
 * (Paths have their own matcher, in which `*` stays within a segment.)
 */
export type WordTest = (text: string) => boolean;

const never: WordTest = () => false;

/** One tester for a list: exact words by a hash look-up, globs by the letter they begin or end with, the rest in turn. */
export function anyOf(exact: readonly string[], globs: readonly string[], tests: readonly WordTest[]): WordTest {
  const glob = anyGlob(globs);
  if (glob === never && tests.length === 0) return anyWord(exact);
  const words = new Set(exact);
  if (tests.length === 0) return text => words.has(text) || glob(text);
  return text => words.has(text) || glob(text) || one(tests, text);
}

function anyWord(exact: readonly string[]): WordTest {
  const [only, second] = exact;
  if (only === undefined) return never;
  if (second === undefined) return text => text === only;
  const words = new Set(exact);
  return text => words.has(text);
}

function anyGlob(globs: readonly string[]): WordTest {
  const [only] = globs;
  if (only === undefined) return never;
  if (globs.length === 1) return globTest(only);
  const byFirst = new Map<number, WordTest[]>();
  const byLast = new Map<number, WordTest[]>();
  const open: WordTest[] = [];
  for (const glob of globs) {
    const { first, last } = pieced(glob);
    const test = globTest(glob);
    if (first !== "") enter(byFirst, first.charCodeAt(0), test);
    else if (last !== "") enter(byLast, last.charCodeAt(last.length - 1), test);
    else open.push(test);
  }
  return text =>
    (text !== "" &&
      (one(byFirst.get(text.charCodeAt(0)), text) || one(byLast.get(text.charCodeAt(text.length - 1)), text))) ||
    one(open, text);
}

function enter(lists: Map<number, WordTest[]>, letter: number, test: WordTest): void {
  const same = lists.get(letter);
  if (same === undefined) lists.set(letter, [test]);
  else same.push(test);
}

function one(tests: readonly WordTest[] | undefined, text: string): boolean {
  if (tests === undefined) return false;
  for (let at = 0; at < tests.length; at++) if (tests[at]!(text)) return true;
  return false;
}

export const isGlob = (pattern: string): boolean =>
  pattern.includes("*") && pattern.replaceAll("\\*", "").includes("*");

export const unescaped = (pattern: string): string =>
  pattern.includes("\\") ? pattern.replaceAll("\\*", "*") : pattern;

/** The tester of one glob that has a star in it. */
export function globTest(pattern: string): WordTest {
  const { first, middle, last } = pieced(pattern);
  const least = first.length + last.length;
  if (middle.length === 0) {
    return text => text.length >= least && begins(text, first) && ends(text, last);
  }
  return text => {
    if (text.length < least || !begins(text, first) || !ends(text, last)) return false;
    let from = first.length;
    for (const piece of middle) {
      const at = text.indexOf(piece, from);
      if (at < 0) return false;
      from = at + piece.length;
    }
    return from <= text.length - last.length;
  };
}

/** Most words differ in their first or last letter: seen here before `startsWith` would be called. The text is as long at least. */
function begins(text: string, piece: string): boolean {
  for (let at = 0; at < piece.length; at++) if (text.charCodeAt(at) !== piece.charCodeAt(at)) return false;
  return true;
}

function ends(text: string, piece: string): boolean {
  const from = text.length - piece.length;
  for (let at = piece.length - 1; at >= 0; at--) if (text.charCodeAt(from + at) !== piece.charCodeAt(at)) return false;
  return true;
}

/** The literal text before, between and after the stars. */
function pieced(pattern: string): { first: string; middle: string[]; last: string } {
  const pieces = pattern
    .replaceAll("\\*", "\u0001")
    .split(/\*+/)
    .map(piece => piece.replaceAll("\u0001", "*"));
  return { first: pieces[0]!, middle: pieces.slice(1, -1).filter(piece => piece !== ""), last: pieces.at(-1)! };
}
