/** Descriptions against findings: which rules speak of which facts, and how surely. */
import type { Fact, FileFact, Flag, Invocation, Subject } from "../facts.ts";
import type { Asked } from "./asked.ts";
import { type Certainty, maybe, no, weaker, yes } from "./certainty.ts";
import type { Description } from "./description.ts";
import { accessHolds, factHolds } from "./fact-test.ts";
import type { FileIndex } from "./file-index.ts";
import { anyFlag } from "./flag-test.ts";
import { factKey, wordsBehind } from "./keys.ts";
import { block, nothing } from "./level.ts";
import type { ByNext, ByOption, Candidate } from "./program-index.ts";
import type { Rulebook } from "./rulebook.ts";
import { patternsHold, runHolds } from "./run-test.ts";
import { noFact } from "./standing.ts";
import { toolHolds } from "./tool-test.ts";
import { wordsHold } from "./unresolved.ts";

/** Is told of each hit: one rule about one fact of one call. */
export interface Taker {
  /** `below`: not the path of the fact is meant, but something below it. The level it comes to. */
  take(description: Description, subject: number, fact: number, certainty: Certainty, below: boolean): number;
}

/** Brings every description before the findings it may speak of. */
export function meet(asked: Asked, book: Rulebook, taker: Taker): void {
  const { subjects, facts } = asked.findings;
  const all = book.about("all");
  for (let at = 0; at < subjects.length; at++) {
    const subject = subjects[at]!;
    aboutSubject(all[subject.kind], subject, at, asked, taker);
    if (subject.kind === "mcp") aboutSubject(book.about("mcp:*").mcp, subject, at, asked, taker);
    else aboutInvocation(subject, at, asked, book, taker);
  }
  for (let number = 0; number < facts.length; number++) aboutFact(facts[number]!, number, asked, book, taker);
}

function aboutInvocation(call: Invocation, at: number, asked: Asked, book: Rulebook, taker: Taker): void {
  const program = book.program(call.program);
  askByOption(program.any, call, at, asked, taker);
  if (call.path !== undefined) aboutSubject(book.place(call.path), call, at, asked, taker);
  if (call.interactive) aboutSubject(book.about("interactive").run, call, at, asked, taker);
  if (!program.asksForWord) return;
  const words = call.subcommands.length === 0 ? wordsBehind(call) : call.subcommands;
  const most = call.subcommands.length === 0 ? words.length : 1;
  for (let word = 0; word < most; word++) {
    const about = program.about(words[word]!);
    if (about !== undefined) askByOption(nextOf(about, call), call, at, asked, taker);
  }
}

const nextOf = ({ all, byNext, otherwise }: ByNext, { subcommands }: Invocation): ByOption =>
  subcommands.length < 2 ? all : (byNext.get(subcommands[1]!) ?? otherwise);

function askByOption({ always, byFlag }: ByOption, call: Invocation, at: number, asked: Asked, taker: Taker): void {
  askCandidates(always, call, at, asked, taker);
  if (byFlag === undefined) return;
  for (let flag = 0; flag < call.flags.length; flag++) {
    const about = byFlag.get(call.flags[flag]!.name);
    if (about !== undefined && isFirst(call.flags, flag)) askCandidates(about, call, at, asked, taker);
  }
}

/** An option given a hundred times says no more than once. */
function isFirst(flags: readonly Flag[], at: number): boolean {
  const { name } = flags[at]!;
  for (let before = 0; before < at; before++) if (flags[before]!.name === name) return false;
  return true;
}

function askCandidates(
  candidates: readonly Candidate[],
  call: Invocation,
  at: number,
  asked: Asked,
  taker: Taker,
): void {
  for (let i = 0; i < candidates.length; i++) {
    const { made, run, worded, optioned } = candidates[i]!;
    const holds = run === undefined || (worded && call.subcommands.length > 0) ? yes : patternsHold(run, call, false);
    const certainty = invocationHolds(made, call, holds, optioned);
    if (certainty !== no) aboutItsFacts(made, certainty, at, asked, taker);
  }
}

/** Descriptions of any call, asked about this one. */
function aboutSubject(about: readonly Description[], subject: Subject, at: number, asked: Asked, taker: Taker): void {
  for (let i = 0; i < about.length; i++) {
    const made = about[i]!;
    const certainty = subjectHolds(made, subject);
    if (certainty !== no) aboutItsFacts(made, certainty, at, asked, taker);
  }
}

/** The call holds; so must a fact of it, where the description speaks of one. */
function aboutItsFacts(made: Description, certainty: Certainty, at: number, asked: Asked, taker: Taker): void {
  if (made.kind === undefined) {
    taker.take(made, at, noFact, certainty, false);
    return;
  }
  const numbers = asked.factsOf(at);
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]!;
    if (asked.findings.facts[number]!.kind !== made.kind) continue;
    const sure = weaker(certainty, factHolds(made, asked, number, made.eager));
    if (sure !== no) taker.take(made, at, number, sure, false);
  }
}

function aboutFact(fact: Fact, number: number, asked: Asked, book: Rulebook, taker: Taker): void {
  const caller = asked.findings.subjects[fact.of]?.kind;
  if (caller === undefined) return;
  if (fact.kind === "file") aboutFile(fact, book.files[caller][fact.does], number, asked, book, taker);
  else {
    const about = fact.kind === "env" ? book.variable(fact.name) : book.about(factKey(fact));
    askFact(about[caller], fact, number, asked, taker);
  }
}

function askFact(about: readonly Description[], fact: Fact, number: number, asked: Asked, taker: Taker): void {
  for (let i = 0; i < about.length; i++) {
    const made = about[i]!;
    const certainty = factHolds(made, asked, number, made.eager);
    const sure = certainty === no ? no : weaker(certainty, ownerHolds(made, asked, fact.of));
    if (sure !== no) taker.take(made, fact.of, number, sure, false);
  }
}

function ownerHolds(made: Description, asked: Asked, of: number): Certainty {
  const subject = asked.findings.subjects[of];
  return subject === undefined ? no : subjectHolds(made, subject);
}

/**
 * Only descriptions whose path list this path satisfies are asked at all. Where the path itself is blocked, what lies
 * below it adds nothing, unless the organisation has a word of its own to say.
 */
function aboutFile(fact: FileFact, index: FileIndex, number: number, asked: Asked, book: Rulebook, taker: Taker): void {
  if (index.anywhere.length > 0) askFact(index.anywhere, fact, number, asked, taker);
  const { own, below } = index.about(asked.suspectLists(number));
  const sure: Certainty = fact.path.known ? yes : maybe;
  let blocked = false;
  for (let i = 0; i < own.length; i++) {
    if (takeFile(own[i]!, fact, number, asked, sure, false, taker) === block) blocked = true;
  }
  const told = blocked && book.plain;
  for (let i = 0; i < below.length; i++) {
    if (told && book.rules[below[i]!.rule]!.own === undefined) continue;
    takeFile(below[i]!, fact, number, asked, sure, true, taker);
  }
  if (fact.path.known) return;
  for (const made of index.eager) {
    if (!own.includes(made) && !below.includes(made)) takeFile(made, fact, number, asked, maybe, false, taker);
  }
}

/** The act and the path are known to hold. */
function takeFile(
  made: Description,
  fact: FileFact,
  number: number,
  asked: Asked,
  sure: Certainty,
  below: boolean,
  taker: Taker,
): number {
  if (!accessHolds(made, fact)) return nothing;
  const certainty = weaker(sure, ownerHolds(made, asked, fact.of));
  return certainty === no ? nothing : taker.take(made, fact.of, number, certainty, below);
}

/** `made` can hold for calls of this kind. */
function subjectHolds(made: Description, subject: Subject): Certainty {
  if (subject.kind === "mcp") return toolHolds(made, subject);
  if (!made.needsProgram) return yes;
  return invocationHolds(made, subject, made.run === undefined ? yes : runHolds(made.run, subject, false), false);
}

/** `run`: how surely the program and its subcommands hold. `optioned`: so do the options. */
function invocationHolds(made: Description, call: Invocation, run: Certainty, optioned: boolean): Certainty {
  if (run === no) return no;
  if (made.dialects !== undefined && !made.dialects.includes(call.dialect)) return no;
  if (made.interactive !== undefined && made.interactive !== call.interactive) return no;
  let sure = run as Certainty;
  if (made.flags !== undefined && !optioned) sure = weaker(sure, anyFlag(made.flags, call));
  if (made.flagsAll !== undefined) for (const flag of made.flagsAll) sure = weaker(sure, anyFlag(flag, call));
  if (sure === no) return no;
  if (made.args !== undefined) sure = weaker(sure, wordsHold(made.args, call.args, made.eager));
  if (made.ref !== undefined) sure = weaker(sure, wordsHold(made.ref, call.refs, made.eager));
  return sure;
}
