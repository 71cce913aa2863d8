/** `re:` with one RE2, never the runtime's own RegExp: it can hang. */
import { RE2JS } from "re2js";
import type { WordTest } from "./glob.ts";
import { requiredTexts } from "./required.ts";

const marker = "re:";

export function patternFault(pattern: string): string | undefined {
  if (!pattern.startsWith(marker)) return undefined;
  try {
    RE2JS.compile(pattern.slice(marker.length));
    return undefined;
  } catch {
    return `\`${pattern}\` is not a valid RE2 pattern`;
  }
}

/** One RE2, compiled at its first use, and asked only about text that holds what every match must hold. */
export class Regex implements WordTest {
  readonly #source: string;
  readonly #fold: boolean;
  readonly #mayMatch: RegExp | undefined;
  #compiled: RE2JS | undefined;

  private constructor(source: string, fold: boolean) {
    this.#source = source;
    this.#fold = fold;
    this.#mayMatch = prefilter(fold ? `(?i)${source}` : source);
  }

  static from(pattern: string, fold: boolean): Regex | undefined {
    return pattern.startsWith(marker) ? new Regex(pattern.slice(marker.length), fold) : undefined;
  }

  fits(text: string): boolean {
    if (this.#mayMatch !== undefined && !this.#mayMatch.test(text)) return false;
    this.#compiled ??= RE2JS.compile(this.#source, this.#fold ? RE2JS.CASE_INSENSITIVE : 0);
    return this.#compiled.test(text);
  }
}

/**
 * The texts one of which every match holds, as the runtime's own RegExp: plain texts side by side, in which there is
 * nothing to go back over. Letters beyond ASCII fold by rules of RE2's own, so such a text is left to it.
 */
function prefilter(source: string): RegExp | undefined {
  const texts = requiredTexts(source)?.map(text => text.replaceAll(/[^\w]/g, char => `\\u${hex(char)}`));
  if (texts === undefined) return undefined;
  const fold = source.startsWith("(?i)");
  return new RegExp([...texts, ...(fold ? ["[^\\0-\\x7f]"] : [])].join("|"), fold ? "i" : "");
}

const hex = (char: string): string => char.charCodeAt(0).toString(16).padStart(4, "0");
