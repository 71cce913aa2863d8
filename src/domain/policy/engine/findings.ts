/** Where the engine begins: a call in, findings out. Text goes to `posix` or `windows`, tool calls to `mcp`. */
import type { Findings } from "../facts.ts";
import type { Call, McpCall, ShellCall } from "../verdict.ts";
import { asRead } from "./fold/lookalike.ts";
import { gate, isOdd, visible } from "./gate.ts";
import { mcp } from "./mcp/call.ts";
import { parse } from "./parse.ts";
import { runUncalled } from "./run/compound.ts";
import { Exhausted, Machine, TERMINAL } from "./run/machine.ts";
import { runText } from "./unwrap/text.ts";
import type { Field } from "./value.ts";
import { windows } from "./windows/run.ts";
import { runStatements } from "./run/script.ts";

/**
 * Everything the engine can say about a call, without running it. Never throws: what could not be understood is a gap.
 */
export function findings(call: Call): Findings {
  const { subjects, facts, gaps } = evaluated(call);
  return { subjects, facts, gaps };
}

/** The machine once it has come to its end, or to the end of its steps. */
export function evaluated(call: Call): Machine {
  const m = new Machine(call);
  try {
    if (call.type === "mcp") mcp(m, call as McpCall);
    else shell(m, call as ShellCall);
  } catch (error) {
    if (error instanceof Exhausted) m.gap(error.why, "the command is too large to be followed to its end");
    else m.gap("too_deep", "the command could not be followed to its end");
  }
  return m;
}

function shell(m: Machine, call: ShellCall): void {
  const odd = isOdd(call.command);
  const refused = gate(call.command, odd);
  if (refused) m.gaps.push(refused.gap);
  if (refused?.stop) return;
  if (call.dialect === "powershell" || call.dialect === "cmd") windows(m, call.command, call.dialect);
  else posix(m, call.command);
  // What a reader takes it for, who does not see what is hidden.
  if (refused && call.dialect === undefined) posix(m, visible(call.command));
  if (odd && call.dialect === undefined) readAlike(m, call.command);
}

/**
 * `rm -rf \u2215`: what a reader takes it for, who sees ASCII in what looks like it. Facts only: most text in other
 * alphabets is no shell text once it is folded.
 */
function readAlike(m: Machine, text: string): void {
  const read = asRead(text);
  if (read === text) return;
  const { length } = m.gaps;
  try {
    posix(m, read);
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error;
  }
  m.gaps.length = Math.min(m.gaps.length, length);
}

/** Runs the text as a shell would; also used for `command` members of MCP calls. */
export function posix(m: Machine, text: string): void {
  const { commands } = parse(m, text);
  runStatements(m, commands, TERMINAL);
  // Both ends of a named pipe run at once: the reader once more, now that it is known what is written.
  if (m.readEarly) runStatements(m, commands, TERMINAL);
  if (m.traps) runTraps(m, m.traps);
  if (m.calls) runUncalled(m);
}

/** `trap 'rm -rf "$d"' EXIT; d=/`: with what the variables hold in the end. */
function runTraps(m: Machine, traps: readonly Field[]): void {
  m.traps = undefined;
  for (const text of traps.slice(0, 4)) m.subshell(() => runText(m, text, "trap", TERMINAL));
}
