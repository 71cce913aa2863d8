/**
 * Descriptions of calls of one program, by the word and by the option they ask for: what asks for `push` or `--force`
 * costs `git pull` nothing.
 */
import type { Description } from "./description.ts";
import { patternsFor, type RunPatterns } from "./run-test.ts";

/** A description as it is looked up for calls of one program. */
export interface Candidate {
  made: Description;
  /** What it asks of the subcommands; undefined where nothing. */
  run: RunPatterns | undefined;
  /** The word it was looked up by is all it asks of subcommands. */
  worded: boolean;
  /** The option it was looked up by is all it asks of options. */
  optioned: boolean;
}

export interface ByOption {
  /** Asked whatever the options. */
  always: readonly Candidate[];
  byFlag: ReadonlyMap<string, readonly Candidate[]> | undefined;
}

/** Those that may hold whatever follows, and those that ask for one word. */
export interface ProgramIndex {
  any: ByOption;
  byWord: ReadonlyMap<string, ByOption> | undefined;
}

export function programIndex(
  program: string,
  any: readonly Description[],
  byWord: ReadonlyMap<string, readonly Description[]> | undefined,
): ProgramIndex {
  return {
    any: byOption(program, any),
    byWord: byWord && new Map([...byWord].map(([word, list]) => [word, byOption(program, list, word)])),
  };
}

function byOption(program: string, descriptions: readonly Description[], word?: string): ByOption {
  const always: Candidate[] = [];
  const byFlag = new Map<string, Candidate[]>();
  for (const made of descriptions) {
    const run = made.run && patternsFor(made.run, program);
    const worded = word !== undefined && run?.bySubcommand.get(word)?.some(({ words }) => words.length === 1) === true;
    const test = made.flags ?? made.flagsAll?.[0];
    if (test?.spellings === undefined) always.push({ made, run, worded, optioned: false });
    else {
      for (const name of new Set(test.spellings)) {
        const candidate = { made, run, worded, optioned: made.flags !== undefined && !test.valued.fits(name) };
        byFlag.set(name, [...(byFlag.get(name) ?? []), candidate]);
      }
    }
  }
  return { always, byFlag: byFlag.size > 0 ? byFlag : undefined };
}
