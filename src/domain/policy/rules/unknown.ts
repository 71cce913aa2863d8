/** Step 7 of what wins: a call that no rule speaks of takes `no_match`. */
import type { Decision, Match } from "../verdict.ts";
import type { Asked } from "./asked.ts";
import { policyPack } from "./compiled-rule.ts";
import { excuses } from "./excuse.ts";
import { quoted, shown } from "./quote.ts";
import { writtenAs } from "./reason.ts";
import type { Rulebook } from "./rulebook.ts";
import { noFact } from "./standing.ts";

/** What is told of the first call that is neither among `known` nor allowed. */
export function unknown(asked: Asked, book: Rulebook, known: ReadonlySet<number>): Match | undefined {
  const { call, findings } = asked;
  const subject = findings.subjects.find((_, at) => !known.has(at) && !allowed(asked, book, at));
  if (subject === undefined) return undefined;
  return {
    rule: `${policyPack}.no-match`,
    pack: policyPack,
    severity: "low",
    decision: book.terms.no_match as Decision,
    reason: `${quoted(writtenAs(call, subject))} is not on this organisation's list of known calls.`,
    via: subject.via.map(shown),
    ...(subject.kind === "run" && subject.span && call.type === "shell" ? { span: subject.span } : {}),
  };
}

const allowed = (asked: Asked, book: Rulebook, subject: number): boolean =>
  book.terms.allow.some(
    entry => entry.scope(asked.call, true) && entry.when.some(made => excuses(made, asked, subject, noFact)),
  );
