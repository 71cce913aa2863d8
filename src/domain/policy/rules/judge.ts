/** Findings and a rulebook → the verdict. */
import type { Findings } from "../facts.ts";
import type { Call, Match, Mode, Verdict } from "../verdict.ts";
import type { Rulebook } from "./compile.ts";
import { gatePack } from "./gap.ts";
import { outcome } from "./precedence.ts";

export function judge(call: Call, findings: Findings, rulebook: Rulebook, mode: Mode): Verdict {
  const { matched, excused } = outcome(call, findings, rulebook);
  return verdictOf(matched, excused, mode);
}

/** Step 9: in `audit-only` the decision is the same, only not enforced. */
function verdictOf(matched: Match[], excused: Match[], mode: Mode): Verdict {
  const rules: string[] = [];
  const reasons: string[] = [];
  for (let at = 0; at < matched.length; at++) {
    rules.push(matched[at]!.rule);
    reasons.push(matched[at]!.reason);
  }
  const verdict: Verdict = {
    decision: matched[0]?.decision ?? "ALLOW",
    rules,
    reasons,
    matched,
    mode,
    enforced: mode === "enforce",
  };
  if (excused.length > 0) verdict.excused = excused;
  return verdict;
}

/** A fault of ours is never an ALLOW. */
export function faulted(not_understood: "ASK" | "BLOCK", mode: Mode): Verdict {
  const match: Match = {
    rule: `${gatePack}.internal-error`,
    pack: gatePack,
    severity: "high",
    decision: not_understood,
    reason: "The call could not be judged because of a fault in the guard.",
    via: [],
  };
  return verdictOf([match], [], mode);
}
