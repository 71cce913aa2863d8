/**
 * Descriptions that loosen: `unless`, `allow`, exceptions. They hold only on full knowledge, for the whole of what was
 * found: every branch pushed, every path of the access, the program in its usual place.
 */
import type { Fact, Invocation, Subject } from "../facts.ts";
import { yes } from "./certainty.ts";
import type { Description } from "./description.ts";
import { flagGiven } from "./flag-test.ts";
import type { Asked } from "./asked.ts";
import type { WordTest } from "./glob.ts";
import { factHolds } from "./fact-test.ts";
import { toolHolds } from "./tool-test.ts";
import { runHolds } from "./run-test.ts";
import { noFact } from "./standing.ts";

const usualPlace = /^(\/usr|\/usr\/local|\/opt\/homebrew)?\/s?bin(\/\.\.\/s?bin)*\/[^/]+$/;

/** Whether `made` describes this very fact (`noFact`: the call itself) of this call, beyond doubt. */
export function excuses(made: Description, asked: Asked, subject: number, fact: number): boolean {
  const call = asked.findings.subjects[subject];
  if (call === undefined || made.hints !== undefined || !subjectExcused(made, call)) return false;
  if (made.kind === undefined && made.path === undefined && made.host === undefined) return true;
  const found = fact === noFact ? undefined : asked.findings.facts[fact];
  if (found !== undefined && speaksOf(made, found)) return factExcused(made, asked, fact);
  return everyFactExcused(made, asked, subject);
}

function subjectExcused(made: Description, subject: Subject): boolean {
  if (subject.kind === "mcp") return !made.needsProgram && toolHolds(made, subject) === yes;
  return !made.needsTool && invocationExcused(made, subject);
}

function invocationExcused(made: Description, call: Invocation): boolean {
  if (!made.needsProgram) return true;
  if (call.path !== undefined && !usualPlace.test(call.path)) return false;
  if (made.dialects !== undefined && !made.dialects.includes(call.dialect)) return false;
  if (made.interactive !== undefined && made.interactive !== call.interactive) return false;
  if (made.run !== undefined && runHolds(made.run, call, true) !== yes) return false;
  if (made.flags !== undefined && !flagGiven(made.flags, call)) return false;
  if (made.flagsAll !== undefined && !made.flagsAll.every(flag => flagGiven(flag, call))) return false;
  if (made.args !== undefined && !call.args.some(arg => arg.known && made.args!.fits(arg.text))) return false;
  return made.ref === undefined || everyRef(made.ref, call);
}

const everyRef = (test: WordTest, { refs }: Invocation): boolean =>
  refs.length > 0 && refs.every(ref => ref.known && test.fits(ref.text));

/** A description of a path alone or of a host alone also speaks of a flow's path or host. */
function speaksOf(made: Description, fact: Fact): boolean {
  if (fact.kind === made.kind) return true;
  if (fact.kind !== "flow" || made.acts !== undefined || made.grants !== undefined) return false;
  return (made.host !== undefined && fact.host !== undefined) || (made.path !== undefined && fact.path !== undefined);
}

function factExcused(made: Description, asked: Asked, number: number): boolean {
  const fact = asked.findings.facts[number]!;
  if (made.path !== undefined && !asked.trusts(number, made.path)) return false;
  if (made.host !== undefined) {
    const host = fact.kind === "net" || fact.kind === "flow" ? fact.host : undefined;
    if (host === undefined || !host.known || !made.host.fits(host.text)) return false;
  }
  if (fact.kind !== made.kind) return true;
  if (fact.kind === "flow" && made.flows === undefined) return true;
  return factHolds(withoutPlace(made), asked, number, false) === yes;
}

/** Path and host have been tested already, more strictly. */
function withoutPlace(made: Description): Description {
  if (made.path === undefined && made.host === undefined) return made;
  made.placeless ??= { ...made, path: undefined, host: undefined };
  return made.placeless;
}

function everyFactExcused(made: Description, asked: Asked, subject: number): boolean {
  let some = false;
  for (const number of asked.factsOf(subject)) {
    const fact = asked.findings.facts[number]!;
    if (!speaksOf(made, fact)) continue;
    const act = "does" in fact ? fact.does : undefined;
    if (made.acts !== undefined && (act === undefined || !made.acts.includes(act))) continue;
    if (!factExcused(made, asked, number)) return false;
    some = true;
  }
  return some;
}
