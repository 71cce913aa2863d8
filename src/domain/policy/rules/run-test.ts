/** `run`: programs and their subcommands. */
import type { Invocation } from "../facts.ts";
import { type Certainty, maybe, no, stronger, yes } from "./certainty.ts";
import type { Testers } from "./testers.ts";
import type { WordTest } from "./glob.ts";
import { openEnded } from "./keys.ts";

interface RunPattern {
  /** Subcommands: plain words as they stand, globs as testers. */
  words: (string | WordTest)[];
}

/** All patterns of one program, and by the subcommand they ask for first: `aws ec2` need not look at those of `aws s3`. */
export interface RunPatterns {
  all: RunPattern[];
  bySubcommand: Map<string, RunPattern[]>;
  /** Those that name no subcommand, or leave it open. */
  open: RunPattern[];
}

export interface RunTest {
  named: Map<string, RunPatterns>;
  /** `byPath`: the pattern holds a slash and means the program as it was written (`/tmp/*`). */
  globs: { name: WordTest; byPath: boolean; pattern: RunPattern }[];
}

export function runTest(patterns: readonly string[], testers: Testers, fold: boolean): RunTest {
  const made: RunTest = { named: new Map(), globs: [] };
  for (const source of patterns) {
    const [name = "", ...rest] = fold ? source.toLowerCase().split(" ") : source.split(" ");
    const pattern = { words: rest.map(piece => (isPlain(piece) && !fold ? piece : testers.words(piece, fold))) };
    if (openEnded(name)) {
      made.globs.push({ name: testers.words(name, fold), byPath: name.includes("/"), pattern });
    } else {
      enter(made.named, name, pattern);
    }
  }
  return made;
}

/** Being that program is enough: what other patterns ask for is of no account. Most lists name nothing but programs. */
const anyCall: RunPatterns = { all: [{ words: [] }], bySubcommand: new Map(), open: [{ words: [] }] };

const fresh = (): RunPatterns => ({ all: [], bySubcommand: new Map(), open: [] });

function enter(named: Map<string, RunPatterns>, name: string, pattern: RunPattern): void {
  if (pattern.words.length === 0) named.set(name, anyCall);
  const patterns = named.get(name) ?? fresh();
  if (patterns === anyCall) return;
  named.set(name, patterns);
  join(patterns, pattern);
}

function join(patterns: RunPatterns, pattern: RunPattern): void {
  patterns.all.push(pattern);
  const [first] = pattern.words;
  if (typeof first !== "string") patterns.open.push(pattern);
  else {
    const same = patterns.bySubcommand.get(first);
    if (same === undefined) patterns.bySubcommand.set(first, [pattern]);
    else same.push(pattern);
  }
}

export const isPlain = (piece: string): boolean => !/[*\\$]/.test(piece) && !piece.startsWith("re:");

/** Whether it may hold for calls of `program`. */
export const speaksOf = ({ named, globs }: RunTest, program: string): boolean =>
  named.has(program) || globs.some(({ name, byPath }) => !byPath && name.fits(program));

/** Whether it may hold for a program started from `path`. */
export const speaksOfPlace = ({ globs }: RunTest, path: string): boolean =>
  globs.some(({ name, byPath }) => byPath && name.fits(path));

/** What a test asks of calls of `program`; undefined where being that program is enough. */
export function patternsFor({ named, globs }: RunTest, program: string): RunPatterns | undefined {
  const fitting = globs.filter(({ name, byPath }) => !byPath && name.fits(program));
  const patterns = named.get(program) ?? fresh();
  const all = fitting.length === 0 ? patterns : fresh();
  if (all !== patterns)
    for (const pattern of [...patterns.all, ...fitting.map(glob => glob.pattern)]) join(all, pattern);
  return all.all.some(({ words }) => words.length === 0) ? undefined : all;
}

export function runHolds({ named, globs }: RunTest, call: Invocation, trusted: boolean): Certainty {
  const patterns = named.get(call.program);
  let best: Certainty = patterns === undefined ? no : patternsHold(patterns, call, trusted);
  for (const { name, byPath, pattern } of globs) {
    if (best !== yes && name.fits(byPath ? (call.path ?? "") : call.program))
      best = stronger(best, wordsOf(pattern, call, trusted));
  }
  return best;
}

export function patternsHold({ all, bySubcommand, open }: RunPatterns, call: Invocation, trusted: boolean): Certainty {
  const [subcommand] = call.subcommands;
  if (subcommand === undefined) return strongest(all, call, trusted, no);
  return strongest(bySubcommand.get(subcommand), call, trusted, strongest(open, call, trusted, no));
}

function strongest(
  patterns: readonly RunPattern[] | undefined,
  call: Invocation,
  trusted: boolean,
  least: Certainty,
): Certainty {
  let best = least;
  if (patterns === undefined) return best;
  for (let at = 0; at < patterns.length && best !== yes; at++) {
    best = stronger(best, wordsOf(patterns[at]!, call, trusted));
  }
  return best;
}

const fits = (word: string | WordTest, text: string): boolean =>
  typeof word === "string" ? word === text : word.fits(text);

/**
 * Subcommands in their places. Those the program table does not know stand among the operands; a restricting rule
 * then skips as many operands as there are options, for each may be the value of one.
 */
function wordsOf({ words }: RunPattern, call: Invocation, trusted: boolean): Certainty {
  const { subcommands, args } = call;
  let at = 0;
  for (; at < subcommands.length; at++) {
    if (at === words.length) return yes;
    if (!fits(words[at]!, subcommands[at]!)) return no;
  }
  let spare = trusted ? 0 : call.flags.length;
  let sure: Certainty = yes;
  for (let operand = 0; operand < args.length && at < words.length; operand++) {
    const arg = args[operand]!;
    if (fits(words[at]!, arg.text)) {
      sure = arg.known ? sure : maybe;
      at++;
    } else if (spare-- <= 0) return no;
  }
  return at === words.length ? sure : no;
}
