import { decisions, type Verdict } from "./verdict.ts";

const rank = (verdict: Verdict): number => decisions.indexOf(verdict.decision);

/** One verdict for several calls behind one hook: the strictest decision, everything that matched. */
export function strictest(verdicts: Verdict[]): Verdict | undefined {
  const worst = verdicts.toSorted((a, b) => rank(b) - rank(a))[0];
  if (!worst || verdicts.length === 1) return worst;
  return {
    ...worst,
    rules: [...new Set(verdicts.flatMap(verdict => verdict.rules))],
    reasons: [...new Set(verdicts.flatMap(verdict => verdict.reasons))],
    matched: verdicts.flatMap(verdict => verdict.matched),
  };
}
