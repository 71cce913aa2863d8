import type { Word } from "unbash";

/**
 * Words that can be read in one pass, because nothing in them expands but `$name`, `*` and `?`: plain text, `'…'`, `"…"`.
 * They are most words of most commands, and taking a word apart costs more than running a command.
 */
export interface Piece {
  text: string;
  /** `$name` instead of text. */
  name: boolean;
  quoted: boolean;
  /** Holds `*` or `?` outside quotes. */
  glob: boolean;
}

/** Globs, braces, escapes, substitutions: what needs the full treatment. */
const hard = new Uint8Array(128);
for (const c of "\\`*?[{(<>!\n") hard[c.charCodeAt(0)] = 1;

/** These and quotes and `$`: all that means more than itself. */
const special = hard.slice();
for (const c of "$'\"") special[c.charCodeAt(0)] = 1;

const [DOLLAR, SINGLE, DOUBLE, TILDE, HOLE] = [36, 39, 34, 126, 0xfffc];
const [STAR, QUESTION] = [42, 63];

const isLetter = (c: number): boolean => (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95;
const isDigit = (c: number): boolean => c >= 48 && c <= 57;

/** How many characters stand for themselves; all of them in most words. */
export function plainLength(text: string): number {
  const { length } = text;
  if (length === 0 || text.charCodeAt(0) === TILDE) return -1;
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i);
    if (c < 128 ? special[c] === 1 : c === HOLE) return i;
  }
  return length;
}

/**
 * The pieces of a word of which so many characters are plain; undefined where it needs the full treatment.
 * `globs`: `*` and `?` outside quotes are patterns, which in some places they are not.
 */
export function quickPieces({ text }: Word, plain = plainLength(text), globs = false): Piece[] | undefined {
  if (plain < 0) return undefined;
  const pieces: Piece[] = [];
  let quoted = false;
  let glob = false;
  let from = 0;
  for (let i = plain; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === HOLE) return undefined;
    if (c === DOLLAR) {
      const end = nameEnd(text, i + 1);
      if (end === i + 1) return undefined;
      cut(pieces, text, from, i, glob);
      pieces.push({ text: text.slice(i, end), name: true, quoted, glob: false });
      glob = false;
      from = end;
      i = end - 1;
    } else if (c === DOUBLE) {
      cut(pieces, text, from, i, glob);
      glob = false;
      quoted = !quoted;
      from = i + 1;
      if (quoted && text.charCodeAt(i + 1) === DOUBLE) pieces.push({ text: "", name: false, quoted, glob });
    } else if (c === SINGLE && !quoted) {
      const end = text.indexOf("'", i + 1);
      if (end < 0) return undefined;
      cut(pieces, text, from, i, glob);
      pieces.push({ text: text.slice(i + 1, end), name: false, quoted: true, glob: false });
      glob = false;
      from = end + 1;
      i = end;
    } else if (globs && !quoted && (c === STAR || c === QUESTION)) glob = true;
    else if (quoted ? c === 92 || c === 96 : c < 128 && hard[c] === 1) return undefined;
  }
  if (quoted) return undefined;
  cut(pieces, text, from, text.length, glob);
  return pieces;
}

function cut(pieces: Piece[], text: string, from: number, to: number, glob: boolean): void {
  if (to > from) pieces.push({ text: text.slice(from, to), name: false, quoted: false, glob });
}

function nameEnd(text: string, from: number): number {
  if (!isLetter(text.charCodeAt(from))) return from;
  let end = from + 1;
  while (end < text.length && (isLetter(text.charCodeAt(end)) || isDigit(text.charCodeAt(end)))) end++;
  return end;
}
