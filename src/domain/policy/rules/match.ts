/** Descriptions against findings: which rules speak of which facts, and how surely. */
import type { Fact, FileFact, Findings, FlowFact, Invocation, Subject, ToolCall, Word } from "../facts.ts";
import type { Call } from "../verdict.ts";
import {
  behind,
  type Certainty,
  type Description,
  flagHolds,
  maybe,
  no,
  runHolds,
  toolName,
  weaker,
  wordsHold,
  yes,
} from "./description.ts";
import { block, nothing } from "./level.ts";
import { eachFor } from "./options.ts";
import type { PathLists } from "./path.ts";
import type { Rulebook } from "./rulebook.ts";

export const noFact = -1;

/** What is asked about one call. */
export class Asked {
  readonly call: Call;
  readonly findings: Findings;
  readonly #book: Rulebook;
  #bySubject: number[][] | undefined;

  constructor(call: Call, findings: Findings, book: Rulebook) {
    this.call = call;
    this.findings = findings;
    this.#book = book;
  }

  /** Facts of one call, by number. */
  factsOf(subject: number): readonly number[] {
    if (this.#bySubject === undefined) {
      this.#bySubject = this.findings.subjects.map(() => []);
      for (const [number, { of }] of this.findings.facts.entries()) this.#bySubject[of]?.push(number);
    }
    return this.#bySubject[subject]!;
  }

  /** Path lists a restricting rule sees this fact in. */
  suspectLists(fact: number): PathLists {
    return this.#book.suspectLists(this.#withPath(fact), this.call);
  }

  trusts(fact: number, list: number): boolean {
    return this.#book.trustedLists(this.#withPath(fact), this.call).has(list);
  }

  #withPath(fact: number): FileFact | FlowFact {
    return this.findings.facts[fact] as FileFact | FlowFact;
  }
}

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
    aboutCall(all, asked, at, taker);
    if (subject.kind === "mcp") aboutCall(book.about("mcp:*"), asked, at, taker);
    else aboutInvocation(subject, asked, book, at, taker);
  }
  for (let number = 0; number < facts.length; number++) {
    const fact = facts[number]!;
    if (fact.kind === "file") aboutFile(fact, number, asked, book, taker);
    else for (const key of factKeys(fact)) aboutFact(book.about(key), number, asked, taker);
  }
}

function aboutInvocation(call: Invocation, asked: Asked, book: Rulebook, at: number, taker: Taker): void {
  const { any, byWord } = book.program(call.program);
  const ask = (made: Description) => askCall(made, asked, at, taker);
  eachFor(any, call.flags, ask);
  if (call.path !== undefined) aboutCall(book.byPlace(), asked, at, taker);
  if (call.interactive) aboutCall(book.about("interactive"), asked, at, taker);
  if (byWord === undefined) return;
  const words = call.subcommands[0] === undefined ? wordsBehind(call) : [call.subcommands[0]];
  for (const word of words) {
    const about = byWord.get(word);
    if (about !== undefined) eachFor(about, call.flags, ask);
  }
}

function aboutCall(about: readonly Description[], asked: Asked, at: number, taker: Taker): void {
  for (let i = 0; i < about.length; i++) askCall(about[i]!, asked, at, taker);
}

function askCall(made: Description, asked: Asked, at: number, taker: Taker): void {
  const certainty = subjectHolds(made, asked.findings.subjects[at]!, made.eager);
  if (certainty === no) return;
  if (made.kind === undefined) taker.take(made, at, noFact, certainty, false);
  else aboutFactsOf(made, asked, at, certainty, taker);
}

function aboutFactsOf(made: Description, asked: Asked, at: number, certainty: Certainty, taker: Taker): void {
  const { facts } = asked.findings;
  for (const number of asked.factsOf(at)) {
    if (facts[number]!.kind !== made.kind) continue;
    const sure = weaker(certainty, factHolds(made, asked, number, made.eager));
    if (sure !== no) taker.take(made, at, number, sure, false);
  }
}

function aboutFact(about: readonly Description[], number: number, asked: Asked, taker: Taker): void {
  const { of } = asked.findings.facts[number]!;
  for (let i = 0; i < about.length; i++) {
    const made = about[i]!;
    const certainty = factHolds(made, asked, number, made.eager);
    const sure = certainty === no ? no : weaker(certainty, holdsOf(made, asked, of));
    if (sure !== no) taker.take(made, of, number, sure, false);
  }
}

function holdsOf(made: Description, asked: Asked, of: number): Certainty {
  const subject = asked.findings.subjects[of];
  return subject === undefined ? no : subjectHolds(made, subject, made.eager);
}

/**
 * Only descriptions whose path list this path satisfies are asked at all. Where the path itself is blocked, what lies
 * below it adds nothing, unless the organisation has a word of its own to say.
 */
function aboutFile(fact: FileFact, number: number, asked: Asked, book: Rulebook, taker: Taker): void {
  const { anywhere, eager } = book.aboutFile(fact.does);
  if (anywhere.length > 0) aboutFact(anywhere, number, asked, taker);
  const { own, below } = book.filesAbout(fact.does, asked.suspectLists(number));
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
  for (const made of eager) {
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
  if (made.recursive !== undefined && made.recursive !== fact.recursive) return nothing;
  if (made.grants !== undefined && !grantsAny(made.grants, fact)) return nothing;
  const certainty = weaker(sure, holdsOf(made, asked, fact.of));
  return certainty === no ? nothing : taker.take(made, fact.of, number, certainty, below);
}

const grantsAny = (grants: readonly string[], fact: FileFact): boolean =>
  fact.grants?.some(grant => grants.includes(grant)) === true;

/** Words behind a program that may be its subcommand, where the program table does not say. */
const wordsMax = 6;

/** Operands that may be a subcommand, each once. */
function wordsBehind({ args, flags }: Invocation): string[] {
  const words: string[] = [];
  const most = Math.min(args.length, flags.length + 1, wordsMax);
  for (let at = 0; at < most; at++) {
    const { text } = args[at]!;
    if (!words.includes(text)) words.push(text);
  }
  return words;
}

/** Names under which rules are entered that may speak of a call. */
export function subjectKeys(subject: Subject): string[] {
  if (subject.kind === "mcp") return ["mcp:*", "all"];
  const { program, subcommands } = subject;
  const words = subcommands[0] === undefined ? wordsBehind(subject) : [subcommands[0]];
  const keys = ["all", "run:*", `run:${program}`, ...words.map(word => `run:${program} ${word}`)];
  if (subject.interactive) keys.push("interactive");
  return keys;
}

/** Names under which rules are entered that may speak of a fact. */
export function factKeys(fact: Fact): string[] {
  if (fact.kind === "file") return [`file:${fact.does}`];
  if (fact.kind === "flow") return [`flow:${fact.from} ${fact.both ? "<->" : "->"} ${fact.to}`];
  if (fact.kind === "net") return [`net:${fact.does}`];
  if (fact.kind === "env") return [`env:${fact.name}`, "env:*"];
  return [`sql:${fact.does}`];
}

export function subjectHolds(made: Description, subject: Subject, eager: boolean): Certainty {
  if (subject.kind === "mcp") return made.needsProgram ? no : toolHolds(made, subject);
  if (made.needsTool) return no;
  return made.needsProgram ? invocationHolds(made, subject, eager) : yes;
}

function invocationHolds(made: Description, call: Invocation, eager: boolean): Certainty {
  if (made.dialects !== undefined && !made.dialects.includes(call.dialect)) return no;
  if (made.interactive !== undefined && made.interactive !== call.interactive) return no;
  let sure = runHolds(made, call, false);
  if (sure === no) return no;
  if (made.flags !== undefined) sure = weaker(sure, anyFlag(made.flags, call));
  if (made.flagsAll !== undefined) for (const flag of made.flagsAll) sure = weaker(sure, anyFlag(flag, call));
  if (sure === no) return no;
  if (made.args !== undefined) sure = weaker(sure, wordsHold(made.args, call.args, eager));
  if (made.ref !== undefined) sure = weaker(sure, wordsHold(branchTest(made.ref), call.refs, eager));
  return sure;
}

function anyFlag(test: NonNullable<Description["flags"]>, call: Invocation): Certainty {
  let best: Certainty = no;
  for (const flag of call.flags) {
    const holds = flagHolds(test, flag, test.values && behind(flag, call));
    if (holds === yes) return yes;
    if (holds === maybe) best = maybe;
  }
  return best;
}

/** `refs/heads/main` and `+main` are `main`. */
export const branchTest = (test: (text: string) => boolean) => (text: string) =>
  test(text) ||
  ((text.startsWith("refs/") || text.startsWith("+")) && test(text.replace(/^\+?(refs\/(heads|tags)\/)?/, "")));

export function toolHolds(made: Description, call: ToolCall): Certainty {
  if (made.mcp !== undefined && !made.mcp(toolName(call))) return no;
  if (made.hints !== undefined && !made.hints.some(hint => call.hints[hint])) return no;
  for (const [name, test] of made.input ?? []) if (!inputHolds(call.input, name, test)) return no;
  return yes;
}

const inputNodesMax = 1000;

/** A member of that name at any depth holds a text that fits. */
function inputHolds(input: Record<string, unknown>, name: string, test: (text: string) => boolean): boolean {
  const waiting: unknown[] = [input];
  for (let at = 0; at < waiting.length && at < inputNodesMax; at++) {
    const node = waiting[at];
    if (node === null || typeof node !== "object") continue;
    for (const [key, value] of Object.entries(node)) {
      if (key === name && !Array.isArray(node) && texts(value).some(test)) return true;
      if (value !== null && typeof value === "object") waiting.push(value);
    }
  }
  return false;
}

function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.filter(item => typeof item === "string");
  return typeof value === "number" || typeof value === "boolean" ? [String(value)] : [];
}

export function factHolds(made: Description, asked: Asked, number: number, eager: boolean): Certainty {
  const fact = asked.findings.facts[number]!;
  switch (fact.kind) {
    case "file": {
      if (made.acts !== undefined && !made.acts.includes(fact.does)) return no;
      if (made.recursive !== undefined && made.recursive !== fact.recursive) return no;
      if (made.grants !== undefined && !grantsAny(made.grants, fact)) return no;
      return pathHolds(made, asked, number, fact.path, eager);
    }
    case "flow": {
      const both = fact.both === true;
      const fits = made.flows?.some(flow => flow.from === fact.from && flow.to === fact.to && flow.both === both);
      if (!fits) return no;
      return weaker(pathHolds(made, asked, number, fact.path, eager), hostHolds(made, fact.host, eager));
    }
    case "net":
      if (made.acts !== undefined && !made.acts.includes(fact.does)) return no;
      return hostHolds(made, fact.host, eager);
    case "env":
      return envHolds(made, fact, eager);
    default:
      return made.acts === undefined || made.acts.includes(fact.does) ? yes : no;
  }
}

function pathHolds(made: Description, asked: Asked, number: number, path: Word | undefined, eager: boolean): Certainty {
  if (made.path === undefined) return yes;
  if (path === undefined) return no;
  if (asked.suspectLists(number).has(made.path)) return path.known ? yes : maybe;
  return eager && !path.known ? maybe : no;
}

function hostHolds(made: Description, host: Word | undefined, eager: boolean): Certainty {
  if (made.host === undefined) return yes;
  return host === undefined ? (eager ? maybe : no) : wordsHold(made.host, [host], eager);
}

function envHolds(made: Description, fact: { name: string; value?: Word }, eager: boolean): Certainty {
  let best: Certainty = no;
  for (const { name, value } of made.env ?? []) {
    if (!name(fact.name)) continue;
    if (value === undefined) return yes;
    if (fact.value === undefined) continue;
    const holds = wordsHold(value, [fact.value], eager);
    if (holds > best) best = holds;
  }
  return best;
}
