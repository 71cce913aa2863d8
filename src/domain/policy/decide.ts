/** The verdict on a call: what the engine found in it, judged by a rulebook. Pure, and never throws. */
import { findings } from "./engine/findings.ts";
import type { Rulebook } from "./rules/compile.ts";
import { faulted, judge } from "./rules/judge.ts";
import type { Call, Mode, Verdict } from "./verdict.ts";

export function decide(call: Call, rulebook: Rulebook, mode: Mode): Verdict {
  try {
    return judge(call, findings(call), rulebook, mode);
  } catch {
    return faulted(rulebook.not_understood, mode);
  }
}
