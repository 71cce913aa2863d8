/** A list of patterns, one of which must fit: words as they stand by a hash look-up, all others in turn. */
import { Glob, isGlob, unescaped, type WordTest } from "./glob.ts";
import { Regex } from "./pattern.ts";
import { Sketch } from "./sketch.ts";

export class Words extends Sketch implements WordTest {
  #exact: Set<string> | undefined;
  readonly #others: WordTest[] = [];
  /** What each of the others begins with (a character's number) or, less than zero, ends with; 0 where it may be anything. */
  readonly #letters: number[] = [];
  readonly #fold: boolean;

  /** `fold` compares without regard to case: Windows programs and their options do. */
  constructor(patterns: readonly string[], fold = false) {
    super();
    this.#fold = fold;
    for (const pattern of patterns) this.#add(pattern);
  }

  #add(pattern: string): void {
    const regex = Regex.from(pattern, this.#fold);
    const source = this.#fold ? pattern.toLowerCase() : pattern;
    if (regex !== undefined) {
      this.sketch("", [], "");
      this.#enter(regex, 0);
    } else if (isGlob(source)) {
      const glob = new Glob(source);
      const { first, middle, last } = glob;
      this.sketch(first, middle, last);
      this.#enter(glob, first !== "" ? first.charCodeAt(0) : last !== "" ? -last.charCodeAt(last.length - 1) : 0);
    } else {
      const word = unescaped(source);
      this.sketch(word, [], word);
      (this.#exact ??= new Set()).add(word);
    }
  }

  #enter(test: WordTest, letter: number): void {
    this.#others.push(test);
    this.#letters.push(letter);
  }

  fits(text: string): boolean {
    if (!this.mayFit(text)) return false;
    const word = this.#fold ? text.toLowerCase() : text;
    if (this.#exact?.has(word)) return true;
    const letters = this.#letters;
    if (letters.length === 0) return false;
    const [first, last] = word === "" ? [0, 0] : [word.charCodeAt(0), -word.charCodeAt(word.length - 1)];
    for (let at = 0; at < letters.length; at++) {
      const letter = letters[at]!;
      if ((letter === first || letter === last || letter === 0) && this.#others[at]!.fits(word)) return true;
    }
    return false;
  }
}
