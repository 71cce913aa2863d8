import { homeOf } from "../client/home.ts";
import { openJudge } from "./local/judge.ts";
import { worktreeOf } from "../client/worktree.ts";
import type { Call, Verdict } from "../domain/policy/verdict.ts";
import { flag, readArguments, text } from "./arguments.ts";
import { command, NO } from "./command.ts";
import { type Io, UsageError } from "./io.ts";
import { paintFor } from "./paint.ts";

const USAGE = `Usage: gatehouse check [--json] [--cwd <folder>] -- <command>
       gatehouse check [--json] --mcp <server/tool> [--args <JSON>]

Judges a shell command or an MCP call by this installation's policy without running it. Words after -- are one command:
quote it as you would type it. Exit code 0 for ALLOW and WARN, 3 for ASK and BLOCK.`;

export const run = command(USAGE, async (argv, io) => {
  const split = argv.indexOf("--");
  const words = split < 0 ? [] : argv.slice(split + 1);
  const options = { json: flag, cwd: text, mcp: text, args: text } as const;
  const { values } = readArguments(split < 0 ? argv : argv.slice(0, split), options, [0, 0], USAGE);
  const home = homeOf(io.env);
  const cwd = values.cwd ?? process.cwd();
  const world = { home: home.user, cwd, ...worktreeOf(cwd) };
  const call = { ...world, ...callOf(words, values.mcp, values.args) } as Call;
  const judge = openJudge(home, Date.now());
  const verdict = judge.judge(call);
  if (values.json)
    io.out(JSON.stringify({ ...verdict, source: judge.source, policy_version: judge.policy_version ?? null }));
  else tell(verdict, judge.source, io);
  return verdict.decision === "ASK" || verdict.decision === "BLOCK" ? NO : 0;
});

function callOf(words: readonly string[], mcp: string | undefined, args: string | undefined): Call {
  if (mcp === undefined) {
    if (words.length === 0) throw new UsageError(USAGE);
    return { type: "shell", command: words.join(" ") };
  }
  const [server, ...tool] = mcp.split("/");
  if (!server || tool.length === 0) throw new UsageError(`--mcp takes server/tool.\n${USAGE}`);
  return { type: "mcp", server, tool: tool.join("/"), args: argumentsOf(args ?? "{}") };
}

function argumentsOf(given: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(given);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new UsageError("--args takes a JSON object.");
}

const shownMax = 5;

function tell(verdict: Verdict, source: string, io: Io): void {
  const paint = paintFor(io);
  const colour = { ALLOW: paint.good, WARN: paint.warn, ASK: paint.warn, BLOCK: paint.bad }[verdict.decision];
  io.out(`${colour(verdict.decision)} ${paint.faint(`(${source} rules${verdict.enforced ? "" : ", audit-only"})`)}`);
  for (const { rule, pack, severity, decision, reason, instead, via } of verdict.matched.slice(0, shownMax)) {
    io.out(`\n${decision} ${paint.strong(rule)} ${paint.faint(`pack ${pack}, ${severity}`)}\n  ${reason}`);
    if (instead) io.out(`  ${paint.faint("instead")} ${instead}`);
    if (via.length > 0) io.out(`  ${paint.faint("through")} ${via.join(" → ")}`);
  }
  const more = verdict.matched.length - shownMax;
  if (more > 0) io.out(`\n${paint.faint(`… and ${more} more rules (--json shows all)`)}`);
}
