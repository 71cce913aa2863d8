/** Descriptions against findings: which rules speak of which facts, and how surely. */
import type { Fact, FileFact, Findings, FlowFact, Invocation, Subject, ToolCall, Word } from "../facts.ts";
import type { Call } from "../verdict.ts";
import {
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

/** One rule about one fact of one call. */
export interface Hit {
  rule: number;
  description: Description;
  subject: number;
  fact: number;
  certainty: Certainty;
}

export const noFact = -1;

/** What is asked about one call; path look-ups are kept while it is judged. */
export class Asked {
  readonly call: Call;
  readonly findings: Findings;
  readonly #suspect: PathTree;
  readonly #trusted: PathTree;
  readonly #suspectLists: (Set<number> | undefined)[] = [];
  readonly #trustedLists: (Set<number> | undefined)[] = [];

  constructor(call: Call, findings: Findings, suspect: PathTree, trusted: PathTree) {
    this.call = call;
    this.findings = findings;
    this.#suspect = suspect;
    this.#trusted = trusted;
  }

  suspects(fact: number, list: number): boolean {
    const lists = (this.#suspectLists[fact] ??= suspectLists(this.#suspect, this.#withPath(fact), this.call));
    return lists.has(list);
  }

  trusts(fact: number, list: number): boolean {
    const lists = (this.#trustedLists[fact] ??= trustedLists(this.#trusted, this.#withPath(fact), this.call));
    return lists.has(list);
  }

  #withPath(fact: number): FileFact | FlowFact {
    return this.findings.facts[fact] as FileFact | FlowFact;
  }
}

/** `eager(rule)`: the rule says itself what an unknown word means. */
export function hits(
  asked: Asked,
  index: ReadonlyMap<string, readonly Description[]>,
  eager: (rule: number) => boolean,
): Hit[] {
  const found: Hit[] = [];
  const { subjects, facts } = asked.findings;
  const tell = (description: Description, subject: number, fact: number, certainty: Certainty) => {
    if (certainty !== no) found.push({ rule: description.rule, description, subject, fact, certainty });
  };
  for (const [at, subject] of subjects.entries()) {
    for (const key of subjectKeys(subject)) {
      for (const description of index.get(key) ?? []) {
        const certainty = subjectHolds(description, subject, eager(description.rule));
        if (certainty === no) continue;
        if (description.kind === undefined) tell(description, at, noFact, certainty);
        else {
          for (const [number, fact] of facts.entries()) {
            if (fact.of !== at || fact.kind !== description.kind) continue;
            tell(
              description,
              at,
              number,
              weaker(certainty, factHolds(description, asked, number, eager(description.rule))),
            );
          }
        }
      }
    }
  }
  for (const [number, fact] of facts.entries()) {
    for (const key of factKeys(fact)) {
      for (const description of index.get(key) ?? []) {
        const certainty = factHolds(description, asked, number, eager(description.rule));
        const subject = certainty === no ? undefined : subjects[fact.of];
        if (subject === undefined) continue;
        tell(
          description,
          fact.of,
          number,
          weaker(certainty, subjectHolds(description, subject, eager(description.rule))),
        );
      }
    }
  }
  return found;
}

/** Keys a subject is looked up by. */
export function subjectKeys(subject: Subject): string[] {
  if (subject.kind === "mcp") return ["mcp:*", "all"];
  const keys = [`run:${subject.program}`, "run:*", "all"];
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
    const holds = flagHolds(test, flag);
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
