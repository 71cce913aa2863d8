/** `flags`: options by name, by a shortened name, and by name and value. */
import type { Flag, Invocation, Word } from "../facts.ts";
import { type Certainty, maybe, no, yes } from "./certainty.ts";
import type { Testers } from "./testers.ts";
import type { WordTest } from "./glob.ts";
import { isPlain } from "./run-test.ts";
import { expanded } from "./sets.ts";

export interface FlagTest {
  names: WordTest;
  /** Asked with `name=value`; only there when a pattern speaks of values. */
  values: WordTest | undefined;
  /** Holds for names of options whose value may matter. */
  valued: WordTest;
  /** Long options that may be written shortened (`--forc`). */
  long: string[];
  /** Every spelling of an option's name it can hold for; undefined where a glob leaves that open. */
  spellings: readonly string[] | undefined;
}

export function flagTest(patterns: readonly string[], testers: Testers, fold: boolean): FlagTest {
  const list = expanded([...patterns], testers.sets);
  const plain = list.filter(pattern => !pattern.includes("="));
  const valued = list.filter(pattern => pattern.includes("="));
  return {
    names: testers.words(plain, fold),
    values: valued.length > 0 ? testers.words(valued, fold) : undefined,
    valued: testers.words(valued.map(nameOf), fold),
    long: plain.filter(pattern => pattern.startsWith("--") && !pattern.includes("*")),
    spellings: fold ? undefined : spellings(list),
  };
}

/** The name in `--name=value`; of one with a glob in it what stands before that. */
function nameOf(pattern: string): string {
  const [name = ""] = pattern.split("=", 1);
  return isPlain(name) ? name : `${/^(?!re:)[^*\\$]*/.exec(name)?.[0] ?? ""}*`;
}

/** Shortest spelling of a long option that getopt programs may take: `--forc`. */
const shortenedMin = 5;

function spellings(patterns: readonly string[]): string[] | undefined {
  const all: string[] = [];
  for (const pattern of patterns) {
    const [name = ""] = pattern.split("=", 1);
    if (!isPlain(name)) return undefined;
    all.push(name);
    if (pattern.includes("=") || !name.startsWith("--")) continue;
    // What is left out holds no further dash, so that `--force` is not taken for `--force-with-lease`.
    for (let end = Math.max(shortenedMin, name.lastIndexOf("-") + 1); end < name.length; end++)
      all.push(name.slice(0, end));
  }
  return all;
}

/** Whether one of the call's options holds. */
export function anyFlag(test: FlagTest, call: Invocation): Certainty {
  const { flags } = call;
  let best: Certainty = no;
  for (let at = 0; at < flags.length; at++) {
    const holds = flagHolds(test, flags[at]!, call);
    if (holds === yes) return yes;
    if (holds === maybe) best = maybe;
  }
  return best;
}

/** One of the options is there, spelled in full: a shortened one earns no trust. */
export const flagGiven = ({ names, values }: FlagTest, { flags }: Invocation): boolean =>
  flags.some(
    ({ name, value }) =>
      names.fits(name) || (values !== undefined && value?.known === true && values.fits(`${name}=${value.text}`)),
  );

export function flagHolds(test: FlagTest, flag: Flag, call: Invocation): Certainty {
  const { name } = flag;
  if (test.names.fits(name)) return yes;
  if (test.values !== undefined && (test.valued.fits(name) || name.includes("="))) {
    const { values } = test;
    const value = valuesOf(flag, call).find(({ text }) => values.fits(`${name}=${text}`));
    if (value !== undefined) return value.known ? yes : maybe;
  }
  if (name.length < shortenedMin || !name.startsWith("--")) return no;
  // What is left out holds no further dash, so that `--force` is not taken for `--force-with-lease`.
  return test.long.some(long => long.startsWith(name) && !long.includes("-", name.length)) ? yes : no;
}

/**
 * The value, or what may be it: the operand behind an option whose arity nobody knows. Words that came out of one expansion (`"$@"`)
 * all stand in its place, so that each may be the one behind.
 */
function valuesOf({ value, span }: Flag, { args }: Invocation): readonly Word[] {
  if (value !== undefined) return [value];
  if (span === undefined) return args;
  const next = args.find(({ span: at }) => at !== undefined && (at[0] >= span[1] || at[0] === span[0]));
  if (next === undefined) return [];
  return next.span![0] === span[0] ? args.filter(({ span: at }) => at?.[0] === span[0]) : [next];
}
