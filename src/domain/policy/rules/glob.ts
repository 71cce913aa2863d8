/**
 * Globs over words: `*` stands for any text, `\*` for a star. Linear in text times pattern, no back-tracking blow-up.
 * (Paths have their own matcher, in which `*` stays within a segment.)
 */
export type WordTest = (text: string) => boolean;

const never: WordTest = () => false;

/** One tester for a list: exact words by a hash look-up, the rest one after another. */
export function anyOf(tests: WordTest[], exact: readonly string[]): WordTest {
  if (tests.length === 0) {
    if (exact.length === 0) return never;
    const [only] = exact;
    if (exact.length === 1) return text => text === only;
    const words = new Set(exact);
    return text => words.has(text);
  }
  const words = new Set(exact);
  return text => words.has(text) || tests.some(test => test(text));
}

export const isGlob = (pattern: string): boolean =>
  pattern.includes("*") && pattern.replaceAll("\\*", "").includes("*");

export const unescaped = (pattern: string): string =>
  pattern.includes("\\") ? pattern.replaceAll("\\*", "*") : pattern;

/** The tester of one glob that has a star in it. */
export function globTest(pattern: string): WordTest {
  const pieces = pieced(pattern);
  const first = pieces[0]!;
  const last = pieces.at(-1)!;
  const middle = pieces.slice(1, -1).filter(piece => piece !== "");
  const least = first.length + last.length;
  if (middle.length === 0) {
    return text => text.length >= least && text.startsWith(first) && text.endsWith(last);
  }
  return text => {
    if (text.length < least || !text.startsWith(first) || !text.endsWith(last)) return false;
    let from = first.length;
    for (const piece of middle) {
      const at = text.indexOf(piece, from);
      if (at < 0) return false;
      from = at + piece.length;
    }
    return from <= text.length - last.length;
  };
}

/** The literal text between the stars. */
function pieced(pattern: string): string[] {
  return pattern
    .replaceAll("\\*", "\u0001")
    .split(/\*+/)
    .map(piece => piece.replaceAll("\u0001", "*"));
}
