import { findings } from "./engine/findings.ts";
import type { Rulebook } from "./rules/compile.ts";
import { faulted, judge } from "./rules/judge.ts";
import type { Call, Mode, Verdict } from "./verdict.ts";

/** The verdict on a call: what the engine finds, judged by the rules. Never throws; a fault of ours is never an ALLOW. */
export function decide(call: Call, rulebook: Rulebook, mode: Mode): Verdict {
  try {
    return judge(call, findings(call), rulebook, mode);
  } catch {
    return faulted(rulebook.not_understood, mode);
  }
}
