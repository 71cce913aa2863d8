/** One description of a rule, made ready to be asked about facts. */
import type { Dialect, Fact } from "../facts.ts";
import { type FlagTest, flagTest } from "./flag-test.ts";
import type { WordTest } from "./glob.ts";
import { many } from "./keys.ts";
import { type RunTest, runTest } from "./run-test.ts";
import type { Match } from "./schema.ts";
import { expanded } from "./sets.ts";
import type { Testers } from "./testers.ts";

interface EnvTest {
  /** Undefined where the name is known to hold. */
  name: WordTest | undefined;
  value: WordTest | undefined;
}

/**
 * Every member is always there, absent ones as undefined: descriptions of one shape are asked many times faster. What
 * is asked of every call stands first, in one stretch of memory.
 */
export interface Description {
  dialects: Dialect[] | undefined;
  interactive: boolean | undefined;
  flags: FlagTest | undefined;
  flagsAll: FlagTest[] | undefined;
  args: WordTest | undefined;
  /** Takes `refs/heads/main` and `+main` for `main`. */
  ref: WordTest | undefined;
  /** The rule says itself what an unknown word means. */
  eager: boolean;
  kind: Fact["kind"] | undefined;
  /** Index of the rule in its rulebook; -1 for descriptions that only excuse. */
  rule: number;
  needsProgram: boolean;
  needsTool: boolean;
  run: RunTest | undefined;
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
  env: EnvTest[] | undefined;
  match: Match;
  /** How much it asks for: of two rules that say the same, the one that asks for more knows more. */
  specificity: number;
  /** The same without path and host, for where these have been tested already. */
  placeless: Description | undefined;
}

const runKeys = ["run", "flags", "flags_all", "args", "ref", "interactive", "dialect"] as const;

export function describe(match: Match, testers: Testers, rule = -1, eager = false): Description {
  const dialects = many(match.dialect);
  const fold = dialects.length > 0 && !dialects.includes("posix");
  const words = (patterns: string | string[] | undefined, folded = false) =>
    patterns === undefined ? undefined : testers.words(patterns, folded);
  const acts: string[] = [...many(match.does), ...many(match.net), ...many(match.sql)];
  return {
    dialects: some(dialects),
    interactive: match.interactive,
    flags: match.flags === undefined ? undefined : flagTest(many(match.flags), testers, fold),
    flagsAll: match.flags_all?.map(flag => flagTest([flag], testers, fold)),
    args: words(match.args, fold),
    ref: match.ref === undefined ? undefined : branchTest(testers.words(match.ref)),
    eager,
    kind: kindOf(match),
    rule,
    needsProgram: runKeys.some(key => match[key] !== undefined),
    needsTool: match.mcp !== undefined || match.input !== undefined || match.hints !== undefined,
    run: match.run === undefined ? undefined : runTest(expanded(match.run, testers.sets), testers, fold),
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
    match,
    specificity: specificityOf(match),
    placeless: undefined,
  };
}

const some = <T>(list: T[]): T[] | undefined => (list.length === 0 ? undefined : list);

/** Members that must hold; a flow in both directions is two. */
const specificityOf = (match: Match): number =>
  Object.keys(match).length + (many(match.flow).some(flow => flow.includes("<->")) ? 1 : 0);

/** The kind of fact a description speaks of; undefined where the call alone decides. */
function kindOf(match: Match): Fact["kind"] | undefined {
  if (match.flow !== undefined) return "flow";
  if (match.sql !== undefined) return "sql";
  if (match.env !== undefined) return "env";
  if (match.does !== undefined || match.grants !== undefined || match.recursive !== undefined) return "file";
  if (match.net !== undefined || match.host !== undefined) return "net";
  return match.path === undefined ? undefined : "file";
}

const branchTest = (test: WordTest): WordTest => ({
  fits: text =>
    test.fits(text) ||
    ((text.startsWith("refs/") || text.startsWith("+")) && test.fits(text.replace(/^\+?(refs\/(heads|tags)\/)?/, ""))),
});

function flowOf(text: string): { from: string; to: string; both: boolean } {
  const [from = "", arrow = "", to = ""] = text.split(" ");
  return { from, to, both: arrow === "<->" };
}

function envTest(pattern: string, testers: Testers): EnvTest {
  const at = pattern.indexOf("=");
  if (at < 0) return { name: testers.words(pattern), value: undefined };
  return { name: testers.words(pattern.slice(0, at)), value: testers.words(pattern.slice(at + 1)) };
}
