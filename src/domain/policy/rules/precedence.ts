/**
 * From hits to a decision, in nine steps (docs/policy-language.md, "What wins"). Strictest wins; order never matters;
 * whoever wants past a BLOCK must name it, sign it and date it.
 */
import type { Findings } from "../facts.ts";
import type { Call, Match } from "../verdict.ts";
import { gapMatches } from "./gap.ts";
import { gravityOf, levelOf } from "./level.ts";
import { Asked } from "./asked.ts";
import { meet } from "./match.ts";
import type { Rulebook } from "./rulebook.ts";
import { Sieve } from "./sieve.ts";
import { told } from "./reason.ts";
import { worthTelling } from "./telling.ts";
import { unknown } from "./unknown.ts";

export interface Outcome {
  matched: Match[];
  excused: Match[];
}

export function outcome(call: Call, findings: Findings, book: Rulebook): Outcome {
  const asked = new Asked(call, findings, book);
  const sieve = new Sieve(asked, book);
  meet(asked, book, sieve);
  const matched = told(worthTelling(sieve.standing), call, findings);
  if (findings.gaps.length > 0) matched.push(...gapMatches(call, findings, book.not_understood));
  const unspoken = sieve.known && unknown(asked, book, sieve.known);
  if (unspoken !== undefined) matched.push(unspoken);
  return { matched: inOrder(matched), excused: inOrder(told(sieve.pardoned, call, findings)) };
}

const inOrder = (matches: Match[]): Match[] => (matches.length < 2 ? matches : matches.sort(before));

/** Strictest, gravest and alphabetical first. */
function before(a: Match, b: Match): number {
  return (
    levelOf(b.decision) - levelOf(a.decision) ||
    gravityOf(b.severity) - gravityOf(a.severity) ||
    (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0)
  );
}
