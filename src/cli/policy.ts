import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { findings } from "../domain/policy/engine/findings.ts";
import { runCases } from "../domain/policy/rules/cases.ts";
import { printFacts } from "../domain/policy/rules/facts-text.ts";
import { type Problem, parsePack } from "../domain/policy/rules/parse.ts";
import { validatePolicy } from "../domain/policy/rules/validate.ts";
import { readPacks } from "../seeds.ts";
import { chosen, flag, readArguments } from "./arguments.ts";
import { command, NO } from "./command.ts";
import { type Io, UsageError } from "./io.ts";

const USAGE = `Usage: gatehouse policy test <file> [--json]
       gatehouse policy facts [--json] -- <command>

test  reads a policy (or a pack) and runs the cases inside it: problems and failed cases with line and column.
      Exit code 3 when it is not valid or a case fails.
facts prints what rules can describe in a command: programs, flags, files, flows.`;

export const run = command(USAGE, async ([verb, ...rest], io) => chosen({ test, facts }, verb, USAGE)(rest, io));

interface Result {
  ok: boolean;
  problems: Problem[];
  /** Things to look at again; they do not stand in the way. */
  hints: Problem[];
}

function test(argv: readonly string[], io: Io): number {
  const { values, positionals } = readArguments(argv, { json: flag }, [1, 1], USAGE);
  const path = positionals[0]!;
  const text = readFileSync(path, "utf8");
  const result = /^pack:/m.test(text) ? testPack(text, path) : testPolicy(text);
  if (values.json) io.out(JSON.stringify(result));
  else {
    for (const problem of result.problems) io.out(`${path}:${placeOf(problem)} ${problem.message}`);
    for (const hint of result.hints) io.out(`${path}:${placeOf(hint)} hint: ${hint.message}`);
    io.out(result.ok ? `${path}: valid` : `${path}: not valid`);
  }
  return result.ok ? 0 : NO;
}

const placeOf = ({ line, column }: Problem): string => `${line}:${column}`;

/** A failed case is a hint to the server, which may activate the policy all the same; to its author it is a failure. */
function testPolicy(text: string): Result {
  const packs = readPacks().map(({ value }) => value);
  const today = new Date().toISOString().slice(0, 10);
  const { ok, problems, lints } = validatePolicy(text, packs, { today });
  const failed = lints.filter(({ path }) => /\/cases\//.test(path));
  return {
    ok: ok && failed.length === 0,
    problems: [...problems, ...failed],
    hints: lints.filter(lint => !failed.includes(lint)),
  };
}

function testPack(text: string, name: string): Result {
  const parsed = parsePack(text, name);
  if (!parsed.ok) return { ok: false, problems: parsed.problems, hints: [] };
  const pack = parsed.value;
  const others = readPacks()
    .map(({ value }) => value)
    .filter(other => other.pack !== pack.pack)
    .map(other => ({ ...other, rules: [] }));
  const results = runCases({ packs: [pack, ...others], entitled: true });
  const problems = results
    .filter(({ ok }) => !ok)
    .map(({ rule, expected, index, got }) => {
      const at = `/rules/${pack.rules.findIndex(({ id }) => id === rule)}/cases/${expected.toLowerCase()}/${index}`;
      return { path: at, message: `${rule}: expected ${expected}, got ${got}`, ...parsed.locate(at) };
    });
  return { ok: problems.length === 0, problems, hints: [] };
}

function facts(argv: readonly string[], io: Io): number {
  const split = argv.indexOf("--");
  const own = split < 0 ? argv : argv.slice(0, split);
  const { values, positionals } = readArguments(own, { json: flag }, [0, split < 0 ? 1 : 0], USAGE);
  const line = split < 0 ? positionals[0] : argv.slice(split + 1).join(" ");
  if (!line) throw new UsageError(USAGE);
  const found = findings({ type: "shell", command: line, cwd: process.cwd(), home: io.env["HOME"] ?? homedir() });
  io.out(values.json ? JSON.stringify(found) : printFacts(found));
  return 0;
}
