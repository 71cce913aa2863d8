/**
 * From hits to a decision, in nine steps (docs/policy-language.md, "What wins"). Strictest wins; order never matters;
 * whoever wants past a BLOCK must name it, sign it and date it.
 */
import type { Findings } from "../facts.ts";
import { type Call, type Decision, decisions, type Match, type Severity } from "../verdict.ts";
import { type CompiledOverride, type CompiledRule, policyPack, type Rulebook } from "./rulebook.ts";
import { yes } from "./description.ts";
import { excuses } from "./excuse.ts";
import { gapMatches } from "./gap.ts";
import { Asked, type Hit, meet, noFact } from "./match.ts";
import { matchOf, writtenAs } from "./reason.ts";
import { quoted, shown } from "./quote.ts";
import { worthTelling } from "./telling.ts";

export const rank = (decision: Decision): number => decisions.indexOf(decision);
export const severities: readonly Severity[] = ["low", "medium", "high", "critical"];

export interface Standing {
  compiled: CompiledRule;
  hit: Hit;
  decision: Decision;
  severity: Severity;
  /** The policy's entry that weakened or removed it. */
  by?: string;
  /** Switched off by an override. */
  off?: true;
}
export interface Outcome {
  matched: Match[];
  excused: Match[];
}

type ByRule = Map<number, Standing>;

export function outcome(call: Call, findings: Findings, book: Rulebook): Outcome {
  const asked = new Asked(call, findings, book);
  const standing: ByRule = new Map();
  const pardoned: ByRule = new Map();
  const known = new Set<number>();
  meet(asked, book, hit => {
    const one = stand(hit, book, asked);
    if (one === undefined) return undefined;
    known.add(hit.subject);
    if (one.decision === "ALLOW") return "ALLOW";
    const by = book.plain ? undefined : pardonFor(one, book, asked);
    if (by !== undefined) one.by = by;
    const stands = by === undefined && one.off === undefined;
    keepStrictest(stands ? standing : pardoned, one);
    return stands ? one.decision : undefined;
  });
  const matched = worthTelling([...standing.values()]).map(teller(call, findings));
  if (findings.gaps.length > 0) matched.unshift(...gapMatches(call, findings, book.not_understood));
  if (book.terms.no_match !== "ALLOW") matched.push(...unknowns(call, asked, book, known));
  const excused = [...pardoned.values()].map(teller(call, findings));
  return { matched: matched.sort(before), excused: excused.sort(before) };
}

/** One match a rule is told; which of equals comes first in the command is of no account. */
function keepStrictest(all: ByRule, one: Standing): void {
  const other = all.get(one.hit.rule);
  if (other === undefined || rank(one.decision) > rank(other.decision)) all.set(one.hit.rule, one);
}

/** Standings into sentences; a call is written out once however many rules speak of it. */
function teller(call: Call, findings: Findings): (standing: Standing) => Match {
  const written: string[] = [];
  return standing => {
    const { compiled, hit, by } = standing;
    const fact = hit.fact === noFact ? undefined : findings.facts[hit.fact];
    const subject = findings.subjects[hit.subject]!;
    written[hit.subject] ??= quoted(writtenAs(call, subject));
    const judged = { ...standing, rule: compiled.rule, pack: compiled.pack };
    const match = matchOf(judged, call, subject, fact, written[hit.subject]!);
    if (by !== undefined) match.by = by;
    return match;
  };
}

/** Steps 2 to 4: in scope, not exempted, weaker where unsure or young, then what overrides say. */
function stand(hit: Hit, book: Rulebook, asked: Asked): Standing | undefined {
  const compiled = book.rules[hit.rule]!;
  const { rule } = compiled;
  const loosens = rule.decision === "ALLOW";
  if (!compiled.scope(asked.call, loosens)) return undefined;
  if (loosens && !(hit.certainty === yes && excuses(hit.description, asked, hit.subject, hit.fact))) return undefined;
  for (const description of compiled.unless) if (excuses(description, asked, hit.subject, hit.fact)) return undefined;
  const decision = sure(rule.decision, hit, compiled);
  if (decision === undefined) return undefined;
  const standing: Standing = { compiled, hit, decision, severity: rule.severity };
  return rule.locked === true || loosens ? standing : overridden(standing, book, asked.call);
}

function sure(decision: Decision, hit: Hit, { rule, nursery }: CompiledRule): Decision | undefined {
  const seen = hit.certainty === yes ? decision : unsureDecision(decision, rule.unsure, rule.severity);
  if (seen === undefined) return undefined;
  return nursery && rank(seen) > rank("WARN") ? "WARN" : seen;
}

/** One step weaker for high and critical rules; others stay silent. */
function unsureDecision(decision: Decision, unsure: string | undefined, severity: Severity): Decision | undefined {
  if (unsure === "IGNORE") return undefined;
  if (unsure !== undefined) return weakest(unsure as Decision, decision);
  if (severity !== "high" && severity !== "critical") return undefined;
  return decision === "BLOCK" ? "ASK" : decision === "ASK" ? "WARN" : undefined;
}

const weakest = (a: Decision, b: Decision): Decision => (rank(a) < rank(b) ? a : b);

/** Among the overrides that hold, the strictest counts: which line comes first is of no account. */
function overridden(standing: Standing, book: Rulebook, call: Call): Standing {
  let strongest: number | undefined;
  let severity: number | undefined;
  let by: string | undefined;
  for (const override of book.terms.overrides) {
    if (!override.rules(standing.compiled.rule.id)) continue;
    if (override.decision !== undefined) {
      const level = override.decision === "OFF" ? -1 : rank(override.decision);
      if (applies(override, level < rank(standing.decision), call) && level > (strongest ?? -2)) {
        strongest = level;
        by = override.at;
      }
    }
    if (override.severity !== undefined) {
      const level = severities.indexOf(override.severity);
      const lowers = level < severities.indexOf(standing.severity);
      if (applies(override, lowers, call) && level > (severity ?? -1)) severity = level;
    }
  }
  if (severity !== undefined) standing.severity = severities[severity]!;
  if (strongest === undefined) return standing;
  standing.by = by!;
  if (strongest < 0) standing.off = true;
  else standing.decision = decisions[strongest]!;
  return standing;
}

const applies = (override: CompiledOverride, lowers: boolean, call: Call): boolean =>
  (!lowers || override.mayLower) && override.scope(call, lowers);

/** Steps 5 and 6: the exception or the `allow` that covers this hit wholly. */
function pardonFor(standing: Standing, book: Rulebook, asked: Asked): string | undefined {
  const { compiled, hit, decision } = standing;
  if (compiled.rule.locked === true || standing.off) return undefined;
  for (const exception of book.terms.exceptions) {
    if (!exception.rules(compiled.rule.id) || !exception.scope(asked.call, true)) continue;
    if (exception.when.some(made => excuses(made, asked, hit.subject, hit.fact))) return exception.at;
  }
  if (decision === "BLOCK" || compiled.own !== undefined || hit.description.kind === "flow") return undefined;
  for (const [at, entry] of book.terms.allow.entries()) {
    if (!entry.scope(asked.call, true)) continue;
    if (entry.when.some(made => excuses(made, asked, hit.subject, hit.fact))) return `/allow/${at}`;
  }
  return undefined;
}

/** Step 7: what nothing speaks of takes `no_match`. */
function unknowns(call: Call, asked: Asked, book: Rulebook, known: ReadonlySet<number>): Match[] {
  const { no_match } = book.terms;
  const told = asked.findings.subjects.flatMap((subject, at) => {
    if (known.has(at) || allowed(asked, book, at)) return [];
    const text = writtenAs(call, subject);
    return [
      {
        rule: `${policyPack}.no-match`,
        pack: policyPack,
        severity: "low" as const,
        decision: no_match as Decision,
        reason: `${quoted(text)} is not on this organisation's list of known calls.`,
        via: subject.via.map(shown),
        ...(subject.kind === "run" && subject.span && call.type === "shell" ? { span: subject.span } : {}),
      },
    ];
  });
  return told.slice(0, 1);
}

const allowed = (asked: Asked, book: Rulebook, subject: number): boolean =>
  book.terms.allow.some(
    entry => entry.scope(asked.call, true) && entry.when.some(made => excuses(made, asked, subject, noFact)),
  );

/** Strictest, gravest and alphabetical first. */
export function before(a: Match, b: Match): number {
  const graver = severities.indexOf(b.severity) - severities.indexOf(a.severity);
  return rank(b.decision) - rank(a.decision) || graver || (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0);
}
