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
import { inOrder, weightiestFirst } from "./standing.ts";
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
  const matched = told(inOrder(worthTelling(sieve.standing), weightiestFirst), call, findings);
  const excused = told(inOrder(sieve.pardoned, weightiestFirst), call, findings);
  return { matched: withFloor(matched, asked, book, sieve.known), excused };
}

/** What was not understood comes before its equals, what no rule speaks of behind them. */
function withFloor(matched: Match[], asked: Asked, book: Rulebook, known: ReadonlySet<number> | undefined): Match[] {
  const { call, findings } = asked;
  const unspoken = known && unknown(asked, book, known);
  if (findings.gaps.length === 0 && unspoken === undefined) return matched;
  const gaps = gapMatches(call, findings, book.not_understood);
  return inOrder([...gaps, ...matched, ...(unspoken ? [unspoken] : [])], weightierFirst);
}

const weightierFirst = (a: Match, b: Match): number =>
  levelOf(b.decision) - levelOf(a.decision) || gravityOf(b.severity) - gravityOf(a.severity);
