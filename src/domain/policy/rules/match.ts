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
import type { PathTree } from "./path.ts";
import { suspectLists, trustedLists } from "./place.ts";
import { isEager, type Rulebook } from "./rulebook.ts";

/** One rule about one fact of one call. */
export interface Hit {
  rule: number;
  description: Description;
  subject: number;
  fact: number;
  certainty: Certainty;
}

export const noFact = -1;

interface Known {
  lists: ReadonlySet<number>;
  size: number;
}

/** What is asked about one call; path look-ups are kept while it is judged. */
export class Asked {
  readonly call: Call;
  readonly findings: Findings;
  readonly #book: Rulebook;
  readonly #suspect: Known[] = [];
  readonly #trusted: Known[] = [];

  constructor(call: Call, findings: Findings, book: Rulebook) {
    this.call = call;
    this.findings = findings;
    this.#book = book;
  }

  /** Path lists a restricting rule sees this fact in. */
  suspectLists(fact: number): ReadonlySet<number> {
    return this.#look(this.#suspect, this.#book.suspect, suspectLists, fact);
  }

  suspects(fact: number, list: number): boolean {
    return this.suspectLists(fact).has(list);
  }

  trusts(fact: number, list: number): boolean {
    return this.#look(this.#trusted, this.#book.trusted, trustedLists, fact).has(list);
  }

  /** Looked up again when the tree has grown: descriptions are made ready while a call is judged. */
  #look(known: Known[], tree: PathTree, look: typeof suspectLists, fact: number): ReadonlySet<number> {
    const before = known[fact];
    if (before !== undefined && before.size === tree.size) return before.lists;
    const lists = look(tree, this.#withPath(fact), this.call);
    known[fact] = { lists, size: tree.size };
    return lists;
  }

  #withPath(fact: number): FileFact | FlowFact {
    return this.findings.facts[fact] as FileFact | FlowFact;
  }
}

export function hits(asked: Asked, book: Rulebook): Hit[] {
  const found: Hit[] = [];
  const { subjects, facts } = asked.findings;
  for (let at = 0; at < subjects.length; at++) {
    for (const key of subjectKeys(subjects[at]!)) {
      for (const description of book.about(key)) aboutSubject(description, asked, book, at, found);
    }
  }
  for (let number = 0; number < facts.length; number++) {
    for (const description of aboutFact(facts[number]!, number, asked, book)) {
      const eager = isEager(book.rules[description.rule]!);
      const certainty = factHolds(description, asked, number, eager);
      const subject = certainty === no ? undefined : subjects[facts[number]!.of];
      if (subject === undefined) continue;
      tell(found, description, facts[number]!.of, number, weaker(certainty, subjectHolds(description, subject, eager)));
    }
  }
  return found;
}

function tell(found: Hit[], description: Description, subject: number, fact: number, certainty: Certainty): void {
  if (certainty !== no) found.push({ rule: description.rule, description, subject, fact, certainty });
}

function aboutSubject(description: Description, asked: Asked, book: Rulebook, at: number, found: Hit[]): void {
  const eager = isEager(book.rules[description.rule]!);
  const certainty = subjectHolds(description, asked.findings.subjects[at]!, eager);
  if (certainty === no) return;
  if (description.kind === undefined) {
    tell(found, description, at, noFact, certainty);
    return;
  }
  for (const [number, fact] of asked.findings.facts.entries()) {
    if (fact.of !== at || fact.kind !== description.kind) continue;
    tell(found, description, at, number, weaker(certainty, factHolds(description, asked, number, eager)));
  }
}

/** Words behind a program that may be its subcommand, where the program table does not say. */
const wordsMax = 6;

/** Keys a call is looked up by. */
export function subjectKeys(subject: Subject): string[] {
  if (subject.kind === "mcp") return ["mcp:*", "all"];
  const { program, subcommands, flags, args } = subject;
  const keys = ["all", "run:*", `run:${program}`];
  if (subcommands[0] !== undefined) keys.push(`run:${program} ${subcommands[0]}`);
  else {
    const words = Math.min(args.length, flags.length + 1, wordsMax);
    for (let at = 0; at < words; at++) {
      const key = `run:${program} ${args[at]!.text}`;
      if (!keys.includes(key)) keys.push(key);
    }
  }
  if (subject.interactive) keys.push("interactive");
  return keys;
}

/** Keys a fact is looked up by. */
export function factKeys(fact: Fact): string[] {
  if (fact.kind === "file") return [`file:${fact.does}`];
  if (fact.kind === "flow") return [`flow:${fact.from} ${fact.both ? "<->" : "->"} ${fact.to}`];
  if (fact.kind === "net") return [`net:${fact.does}`];
  if (fact.kind === "env") return [`env:${fact.name}`, "env:*"];
  return [`sql:${fact.does}`];
}

function aboutFact(fact: Fact, number: number, asked: Asked, book: Rulebook): readonly Description[] {
  if (fact.kind === "file") return aboutFile(fact, number, asked, book);
  const keys = factKeys(fact);
  return keys.length === 1 ? book.about(keys[0]!) : keys.flatMap(key => [...book.about(key)]);
}

/** Only descriptions whose path list this path satisfies are asked at all. */
function aboutFile(fact: FileFact, number: number, asked: Asked, book: Rulebook): Description[] {
  const { byList, anywhere, eager } = book.aboutFile(fact.does);
  const about = [...anywhere];
  for (const list of asked.suspectLists(number)) about.push(...(byList.get(list) ?? []));
  if (!fact.path.known) for (const made of eager) if (!about.includes(made)) about.push(made);
  return about;
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
  for (const flag of made.flagsAll ?? []) sure = weaker(sure, anyFlag(flag, call));
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
      if (made.grants !== undefined && !fact.grants?.some(grant => made.grants!.includes(grant))) return no;
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
  if (asked.suspects(number, made.path)) return path.known ? yes : maybe;
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
