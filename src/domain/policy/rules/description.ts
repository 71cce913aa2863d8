/** One description of a rule, made ready to be asked about facts. */
import type { Dialect, Fact, Flag, Invocation, ToolCall, Word } from "../facts.ts";
import { many, openEnded } from "./keys.ts";
import { wordTest } from "./pattern.ts";
import type { WordTest } from "./glob.ts";
import type { PathTree } from "./path.ts";
import type { Match } from "./schema.ts";
import { expanded } from "./sets.ts";
import { whollyUnknown } from "./unresolved.ts";

/** How sure a test is: an unresolved word can only ever be `maybe`. */
export type Certainty = 0 | 1 | 2;
export const no = 0;
export const maybe = 1;
export const yes = 2;

interface RunPattern {
  /** Subcommands: plain words as they stand, globs as testers. */
  words: (string | WordTest)[];
}

/** All patterns of one program, and by the subcommand they ask for first: `aws ec2` need not look at those of `aws s3`. */
interface RunPatterns {
  all: RunPattern[];
  bySubcommand: Map<string, RunPattern[]>;
  /** Those that name no subcommand, or leave it open. */
  open: RunPattern[];
}

/** Every member is always there, absent ones as undefined: descriptions of one shape are asked many times faster. */
export interface Description {
  /** Index of the rule in its rulebook; -1 for descriptions that only excuse. */
  rule: number;
  match: Match;
  /** The rule says itself what an unknown word means. */
  eager: boolean;
  kind: Fact["kind"] | undefined;
  needsProgram: boolean;
  needsTool: boolean;
  runNamed: Map<string, RunPatterns> | undefined;
  /** `byPath`: the pattern holds a slash and means the program as it was written (`/tmp/*`). */
  runGlobs: { name: WordTest; byPath: boolean; pattern: RunPattern }[] | undefined;
  flags: FlagTest | undefined;
  flagsAll: FlagTest[] | undefined;
  args: WordTest | undefined;
  ref: WordTest | undefined;
  interactive: boolean | undefined;
  dialects: Dialect[] | undefined;
  mcp: WordTest | undefined;
  input: [name: string, test: WordTest][] | undefined;
  hints: ("destructive" | "open_world")[] | undefined;
  /** Of the fact's kind: file acts, net acts or SQL acts. */
  acts: readonly string[] | undefined;
  path: number | undefined;
  recursive: boolean | undefined;
  grants: readonly string[] | undefined;
  flows: { from: string; to: string; both: boolean }[] | undefined;
  host: WordTest | undefined;
  env: { name: WordTest; value: WordTest | undefined }[] | undefined;
  /** The same without path and host, for where these have been tested already. */
  placeless: Description | undefined;
}

/** What descriptions share while a rulebook is compiled: equal lists have one tester. */
export class Testers {
  readonly sets: Map<string, string[]>;
  readonly #words = new Map<string, WordTest>();
  readonly #paths = new Map<string, number>();
  readonly #tree: PathTree;

  constructor(sets: Map<string, string[]>, tree: PathTree) {
    this.sets = sets;
    this.#tree = tree;
  }

  words(patterns: string | string[], fold = false): WordTest {
    const list = expanded(patterns, this.sets);
    // With their number: nothing and one empty pattern are written alike.
    return shared(this.#words, `${fold ? "i" : ""}${list.length}\0${list.join("\0")}`, () => wordTest(list, fold));
  }

  paths(patterns: string | string[]): number {
    const list = expanded(patterns, this.sets);
    return shared(this.#paths, `${list.length}\0${list.join("\0")}`, () => this.#tree.add(list));
  }
}

function shared<T>(known: Map<string, T>, key: string, make: () => T): T {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}

const runKeys = ["run", "flags", "flags_all", "args", "ref", "interactive", "dialect"] as const;

export function describe(match: Match, testers: Testers, rule = -1, eager = false): Description {
  const dialects = many(match.dialect);
  const fold = dialects.length > 0 && !dialects.includes("posix");
  const words = (patterns: string | string[] | undefined, folded = false) =>
    patterns === undefined ? undefined : testers.words(patterns, folded);
  const acts: string[] = [...many(match.does), ...many(match.net), ...many(match.sql)];
  const made: Description = {
    rule,
    match,
    eager,
    kind: kindOf(match),
    needsProgram: runKeys.some(key => match[key] !== undefined),
    needsTool: match.mcp !== undefined || match.input !== undefined || match.hints !== undefined,
    runNamed: undefined,
    runGlobs: undefined,
    flags: match.flags === undefined ? undefined : flagTest(many(match.flags), testers, fold),
    flagsAll: match.flags_all?.map(flag => flagTest([flag], testers, fold)),
    args: words(match.args, fold),
    ref: words(match.ref),
    interactive: match.interactive,
    dialects: some(many(match.dialect)),
    mcp: words(match.mcp),
    input: match.input && Object.entries(match.input).map(([name, globs]) => [name, testers.words(globs)]),
    hints: some(many(match.hints)),
    acts: some(acts),
    path: match.path === undefined ? undefined : testers.paths(match.path),
    recursive: match.recursive,
    grants: some(many(match.grants)),
    flows: some(many(match.flow).map(flowOf)),
    host: words(match.host),
    env: match.env === undefined ? undefined : expanded(match.env, testers.sets).map(one => envTest(one, testers)),
    placeless: undefined,
  };
  if (match.run !== undefined) addRun(made, expanded(match.run, testers.sets), testers, fold);
  return made;
}

const some = <T>(list: T[]): T[] | undefined => (list.length === 0 ? undefined : list);

/** The kind of fact a description speaks of; undefined where the call alone decides. */
function kindOf(match: Match): Fact["kind"] | undefined {
  if (match.flow !== undefined) return "flow";
  if (match.sql !== undefined) return "sql";
  if (match.env !== undefined) return "env";
  if (match.does !== undefined || match.grants !== undefined || match.recursive !== undefined) return "file";
  if (match.net !== undefined || match.host !== undefined) return "net";
  return match.path === undefined ? undefined : "file";
}

function addRun(made: Description, patterns: string[], testers: Testers, fold: boolean): void {
  const named = new Map<string, RunPatterns>();
  made.runNamed = named;
  for (const source of patterns) {
    const [name = "", ...rest] = fold ? source.toLowerCase().split(" ") : source.split(" ");
    const pattern = { words: rest.map(piece => (isPlain(piece) && !fold ? piece : testers.words(piece, fold))) };
    if (openEnded(name)) {
      made.runGlobs ??= [];
      made.runGlobs.push({ name: testers.words(name, fold), byPath: name.includes("/"), pattern });
    } else {
      enter(named, name, pattern);
    }
  }
}

function enter(named: Map<string, RunPatterns>, name: string, pattern: RunPattern): void {
  let patterns = named.get(name);
  if (patterns === undefined) {
    patterns = { all: [], bySubcommand: new Map(), open: [] };
    named.set(name, patterns);
  }
  patterns.all.push(pattern);
  const [first] = pattern.words;
  if (typeof first !== "string") patterns.open.push(pattern);
  else {
    const same = patterns.bySubcommand.get(first);
    if (same === undefined) patterns.bySubcommand.set(first, [pattern]);
    else same.push(pattern);
  }
}

const isPlain = (piece: string): boolean => !/[*\\$]/.test(piece) && !piece.startsWith("re:");

const fits = (word: string | WordTest, text: string): boolean =>
  typeof word === "string" ? word === text : word(text);

export interface FlagTest {
  names: WordTest;
  /** Asked with `name=value`; only there when a pattern speaks of values. */
  values: WordTest | undefined;
  /** Long options that may be written shortened (`--forc`). */
  long: string[];
  /** Every spelling of an option's name it can hold for; undefined where a glob leaves that open. */
  spellings: readonly string[] | undefined;
}

function flagTest(patterns: string[], testers: Testers, fold: boolean): FlagTest {
  const list = expanded(patterns, testers.sets);
  const plain = list.filter(pattern => !pattern.includes("="));
  const valued = list.filter(pattern => pattern.includes("="));
  return {
    names: testers.words(plain, fold),
    values: valued.length > 0 ? testers.words(valued, fold) : undefined,
    long: plain.filter(pattern => pattern.startsWith("--") && !pattern.includes("*")),
    spellings: fold ? undefined : spellings(list),
  };
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

/** `next`: the operand behind an option whose arity nobody knows; it may be the option's value. */
export function flagHolds(test: FlagTest, flag: Flag, next?: Word): Certainty {
  if (test.names(flag.name)) return yes;
  if (test.values !== undefined && next !== undefined && flag.value === undefined) {
    if (test.values(`${flag.name}=${next.text}`)) return next.known ? yes : maybe;
  }
  if (test.values !== undefined && flag.value !== undefined && test.values(`${flag.name}=${flag.value.text}`)) {
    return flag.value.known ? yes : maybe;
  }
  const { name } = flag;
  if (name.length < shortenedMin || !name.startsWith("--")) return no;
  // What is left out holds no further dash, so that `--force` is not taken for `--force-with-lease`.
  return test.long.some(long => long.startsWith(name) && !long.includes("-", name.length)) ? yes : no;
}

/** The operand written right behind an option. */
export function behind(flag: Flag, call: Invocation): Word | undefined {
  if (flag.value !== undefined) return undefined;
  const { span } = flag;
  if (span === undefined) return call.args[0];
  // Words that came out of one expansion (`"$@"`) all stand in its place.
  return call.args.find(({ span: at }) => at !== undefined && (at[0] >= span[1] || at[0] === span[0]));
}

function flowOf(text: string): { from: string; to: string; both: boolean } {
  const [from = "", arrow = "", to = ""] = text.split(" ");
  return { from, to, both: arrow === "<->" };
}

function envTest(pattern: string, testers: Testers): { name: WordTest; value: WordTest | undefined } {
  const at = pattern.indexOf("=");
  if (at < 0) return { name: testers.words(pattern), value: undefined };
  return { name: testers.words(pattern.slice(0, at)), value: testers.words(pattern.slice(at + 1)) };
}

/** `eager`: the rule says what to do when a word is not known at all. */
export function wordsHold(test: WordTest, words: readonly Word[], eager: boolean): Certainty {
  let best: Certainty = no;
  for (const word of words) {
    if (test(word.text)) {
      if (word.known) return yes;
      best = maybe;
    } else if (eager && whollyUnknown(word)) best = maybe;
  }
  return best;
}

export const weaker = (a: Certainty, b: Certainty): Certainty => (a < b ? a : b);

export const toolName = (call: ToolCall): string => `${call.server === "" ? "?" : call.server}/${call.tool}`;

export function runHolds(made: Description, call: Invocation, trusted: boolean): Certainty {
  if (made.runNamed === undefined) return yes;
  const named = made.runNamed.get(call.program);
  let best: Certainty = named === undefined ? no : anyPattern(named, call, trusted);
  if (made.runGlobs === undefined) return best;
  for (const { name, byPath, pattern } of made.runGlobs) {
    if (best !== yes && name(byPath ? (call.path ?? "") : call.program))
      best = stronger(best, wordsOf(pattern, call, trusted));
  }
  return best;
}

function anyPattern({ all, bySubcommand, open }: RunPatterns, call: Invocation, trusted: boolean): Certainty {
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

const stronger = (a: Certainty, b: Certainty): Certainty => (a > b ? a : b);

/**
 * Subcommands in their places. Those the program table does not know stand among the operands; a restricting rule
 * then skips as many operands as there are options, for each may be the value of one.
 */
function wordsOf({ words }: RunPattern, call: Invocation, trusted: boolean): Certainty {
  let at = 0;
  for (const subcommand of call.subcommands) {
    if (at === words.length) return yes;
    if (!fits(words[at]!, subcommand)) return no;
    at++;
  }
  let spare = trusted ? 0 : call.flags.length;
  let sure: Certainty = yes;
  for (const arg of call.args) {
    if (at === words.length) break;
    if (fits(words[at]!, arg.text)) {
      sure = arg.known ? sure : maybe;
      at++;
    } else if (spare-- <= 0) return no;
  }
  return at === words.length ? sure : no;
}
