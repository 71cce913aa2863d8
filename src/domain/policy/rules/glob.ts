/**
 * Globs over words: `*` stands for any text, `\*` for a star. Linear in text times pattern, no back-tracking blow-up.
 * (Paths have their own matcher, in which `*` stays within a segment.)
 */
export interface WordTest {
  fits(text: string): boolean;
}

export const isGlob = (pattern: string): boolean =>
  pattern.includes("*") && pattern.replaceAll("\\*", "").includes("*");

export const unescaped = (pattern: string): string =>
  pattern.includes("\\") ? pattern.replaceAll("\\*", "*") : pattern;

/** One pattern that has a star in it. */
export class Glob implements WordTest {
  /** The literal text before, between and after the stars. */
  readonly first: string;
  readonly middle: readonly string[];
  readonly last: string;

  constructor(pattern: string) {
    const pieces = pattern
      .replaceAll("\\*", "\u0001")
      .split(/\*+/)
      .map(piece => piece.replaceAll("\u0001", "*"));
    this.first = pieces[0]!;
    this.middle = pieces.slice(1, -1).filter(piece => piece !== "");
    this.last = pieces.at(-1)!;
  }

  fits(text: string): boolean {
    const { first, middle, last } = this;
    if (text.length < first.length + last.length || !begins(text, first) || !ends(text, last)) return false;
    let from = first.length;
    for (let piece = 0; piece < middle.length; piece++) {
      const at = text.indexOf(middle[piece]!, from);
      if (at < 0) return false;
      from = at + middle[piece]!.length;
    }
    return from <= text.length - last.length;
  }
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
