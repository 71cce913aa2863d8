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
  /** The words it was looked up by are all it asks of subcommands. */
  worded: boolean;
  /** The option it was looked up by is all it asks of options. */
  optioned: boolean;
}

export interface ByOption {
  /** Asked whatever the options. */
  always: readonly Candidate[];
  byFlag: ReadonlyMap<string, readonly Candidate[]> | undefined;
}

/** Those that ask for one word: for calls of which the next subcommand is known, and for all others. */
export interface ByNext {
  all: ByOption;
  byNext: ReadonlyMap<string, ByOption>;
  /** For a next subcommand that none of them names. */
  otherwise: ByOption;
}

/** All about one program; what is about one word is made ready when a call has it. */
export class ProgramIndex {
  /** Those that may hold whatever follows. */
  readonly any: ByOption;
  readonly #program: string;
  readonly #worded: Worded | undefined;
  readonly #byWord = new Map<string, ByNext>();

  constructor(program: string, any: readonly Description[], worded: Worded | undefined) {
    this.#program = program;
    this.any = byOption(program, any);
    this.#worded = worded;
  }

  /** Some ask for a word. */
  get asksForWord(): boolean {
    return this.#worded !== undefined;
  }

  about(word: string): ByNext | undefined {
    let about = this.#byWord.get(word);
    if (about === undefined) {
      const descriptions = this.#worded?.(word);
      if (descriptions === undefined) return undefined;
      about = byNextWord(this.#program, descriptions, word);
      this.#byWord.set(word, about);
    }
    return about;
  }
}

/** Descriptions that ask for a word; undefined where none does. */
type Worded = (word: string) => readonly Description[] | undefined;

function byNextWord(program: string, descriptions: readonly Description[], word: string): ByNext {
  const nexts = descriptions.map(made => nextWords(made, program, word));
  const naming = (next: string | undefined) =>
    descriptions.filter((_, at) => nexts[at] === undefined || (next !== undefined && nexts[at].has(next)));
  const names = new Set(nexts.flatMap(next => [...(next ?? [])]));
  const all = byOption(program, descriptions, [word]);
  return {
    all,
    byNext: new Map([...names].map(next => [next, byOption(program, naming(next), [word, next])])),
    otherwise: names.size === 0 ? all : byOption(program, naming(undefined), [word]),
  };
}

/** Words one of which must come behind `word`; undefined where others will do. */
function nextWords({ run }: Description, program: string, word: string): Set<string> | undefined {
  const patterns = run && patternsFor(run, program);
  if (patterns === undefined || patterns.open.length > 0) return undefined;
  const nexts = (patterns.bySubcommand.get(word) ?? []).map(({ words }) => words[1]);
  return nexts.every(next => typeof next === "string") ? new Set(nexts) : undefined;
}

/** `words`: the subcommands they are looked up by. */
function byOption(program: string, descriptions: readonly Description[], words: readonly string[] = []): ByOption {
  const always: Candidate[] = [];
  const byFlag = new Map<string, Candidate[]>();
  for (const made of descriptions) {
    const run = made.run && patternsFor(made.run, program);
    const worded = run?.bySubcommand.get(words[0] ?? "")?.some(pattern => isOnly(pattern.words, words)) === true;
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

const isOnly = (asked: RunPatterns["all"][number]["words"], given: readonly string[]): boolean =>
  asked.length <= given.length && asked.every((word, at) => word === given[at]);
