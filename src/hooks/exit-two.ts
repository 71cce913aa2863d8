import type { Verdict } from "../domain/policy/verdict.ts";
import type { Answer, Reading } from "./dialect.ts";
import { effect, explanation } from "./explanation.ts";

/** Agents that read no JSON: exit 2 with the reason on stderr refuses, silence and exit 0 lets go. They cannot ask. */
export function answerByExit(read: Reading, verdict?: Verdict): Answer {
  const does = read.phase === "before" ? effect(verdict, false) : "go";
  if (verdict && does === "deny") return { stdout: "", stderr: `${explanation(verdict, false)}\n`, exit: 2 };
  return { stdout: "", stderr: "", exit: 0 };
}
