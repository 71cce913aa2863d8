/** One pattern of a rule: a word, a glob, or `re:` with one RE2 (never the runtime's own RegExp: it can hang). */
import { RE2JS } from "re2js";
import { anyOf, isGlob, unescaped, type WordTest } from "./glob.ts";
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

/** `fold` compares without regard to case: Windows programs and their options do. */
export function wordTest(patterns: readonly string[], fold = false): WordTest {
  const exact: string[] = [];
  const globs: string[] = [];
  const tests: WordTest[] = [];
  for (const pattern of patterns) {
    if (pattern.startsWith(marker)) tests.push(regexTest(pattern.slice(marker.length), fold));
    else if (isGlob(pattern)) globs.push(fold ? pattern.toLowerCase() : pattern);
    else exact.push(unescaped(fold ? pattern.toLowerCase() : pattern));
  }
  const test = anyOf(exact, globs, tests);
  return fold ? text => test(text.toLowerCase()) : test;
}

/** Compiled at its first use, and asked only about text that holds what every match must hold. */
function regexTest(source: string, fold: boolean): WordTest {
  const mayMatch = prefilter(fold ? `(?i)${source}` : source);
  let compiled: RE2JS | undefined;
  return text => {
    if (mayMatch !== undefined && !mayMatch.test(text)) return false;
    compiled ??= RE2JS.compile(source, fold ? RE2JS.CASE_INSENSITIVE : 0);
    return compiled.matcher(text).find();
  };
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
