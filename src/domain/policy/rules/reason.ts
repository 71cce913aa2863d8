/** From a hit to the sentence people read, and to what it rests on. */
import { type Fact, hole, type Span, type Subject } from "../facts.ts";
import type { Call, Match, Severity, Decision } from "../verdict.ts";
import { behind, flagHolds, no, toolName } from "./description.ts";
import { branchTest, type Hit } from "./match.ts";
import { quoted, shown } from "./quote.ts";
import type { Rule } from "./schema.ts";

export const placeholders = ["path", "host", "ref", "env", "tool", "program"] as const;
type Placeholder = (typeof placeholders)[number];

/** Said where a fact does not carry the value. */
const unnamed: Record<Placeholder, string> = {
  path: "a file",
  host: "another machine",
  ref: "a branch",
  env: "a variable",
  tool: "a tool",
  program: "a program",
};

export interface Judged {
  rule: Rule;
  pack: string;
  hit: Hit;
  decision: Decision;
  severity: Severity;
}

/** `written`: the call as people may read it. */
export function matchOf(
  judged: Judged,
  call: Call,
  subject: Subject,
  fact: Fact | undefined,
  written = quoted(writtenAs(call, subject)),
): Match {
  const { rule, hit } = judged;
  const what = rule.what.includes("{")
    ? rule.what.replace(/\{(\w+)\}/g, (whole, name: string) => filled(name, whole, hit, subject, fact))
    : rule.what;
  const match: Match = {
    rule: rule.id,
    pack: judged.pack,
    severity: judged.severity,
    decision: judged.decision,
    reason: `${written} ${what}. ${rule.why}`,
    instead: rule.instead,
    via: subject.via.length === 0 ? [] : subject.via.map(shown),
    call: shown(shortName(subject)),
  };
  const span = fact?.span ?? subjectSpan(subject);
  if (span !== undefined && call.type === "shell") match.span = unquoted(call.command, span);
  const rests = restsOn(hit, subject, fact);
  if (rests.length > 0) match.rests_on = rests;
  return match;
}

/** A command handed over in quotes stands between them. */
function unquoted(command: string, [start, end]: Span): Span {
  const quote = command[start];
  const wrapped = end - start > 2 && (quote === "'" || quote === '"') && command[end - 1] === quote;
  return wrapped ? [start + 1, end - 1] : [start, end];
}

const subjectSpan = (subject: Subject) => (subject.kind === "run" ? subject.span : undefined);

const shortName = (subject: Subject): string =>
  subject.kind === "mcp" ? toolName(subject) : [subject.program, ...subject.subcommands].join(" ");

/** The invocation in the author's own spelling where there is one, else as it was resolved. */
export function writtenAs(call: Call, subject: Subject): string {
  if (subject.kind === "mcp") return toolName(subject);
  if (subject.span !== undefined && call.type === "shell") {
    const text = call.command.slice(...unquoted(call.command, subject.span));
    if (text.includes(subject.program)) return text;
  }
  const flags = subject.flags.map(flag => (flag.value === undefined ? flag.name : `${flag.name}=${flag.value.text}`));
  return [subject.program, ...subject.subcommands, ...flags, ...subject.args.map(arg => arg.text)].join(" ");
}

function filled(name: string, whole: string, hit: Hit, subject: Subject, fact: Fact | undefined): string {
  if (!(placeholders as readonly string[]).includes(name)) return whole;
  const value = valueFor(name as Placeholder, hit, subject, fact);
  return value === undefined || value === "" || /^\$\w+$|^\$\{/.test(value) || value === hole
    ? unnamed[name as Placeholder]
    : quoted(value);
}

function valueFor(name: Placeholder, hit: Hit, subject: Subject, fact: Fact | undefined): string | undefined {
  switch (name) {
    case "path":
      return fact !== undefined && "path" in fact ? fact.path?.text : undefined;
    case "host":
      return fact !== undefined && "host" in fact ? fact.host?.text : undefined;
    case "env":
      return fact?.kind === "env" ? fact.name : undefined;
    case "ref":
      return subject.kind === "run" ? refOf(hit, subject) : undefined;
    case "tool":
      return subject.kind === "mcp" ? toolName(subject) : undefined;
    case "program":
      return subject.kind === "run" ? subject.program : undefined;
  }
}

function refOf(hit: Hit, subject: Extract<Subject, { kind: "run" }>): string | undefined {
  const { ref } = hit.description;
  const named = ref === undefined ? undefined : subject.refs.find(word => branchTest(ref)(word.text));
  return (named ?? subject.refs[0])?.text.replace(/^\+?(refs\/(heads|tags)\/)?/, "");
}

/** Words the hit could not have done without. A variable is named, its value never shown. */
function restsOn(hit: Hit, subject: Subject, fact: Fact | undefined): string[] {
  const { description } = hit;
  const rests: string[] = [];
  if (subject.kind === "run") {
    for (const test of [description.flags, ...(description.flagsAll ?? [])]) {
      const flag = test && subject.flags.find(given => flagHolds(test, given, behind(given, subject)) !== no);
      if (flag) rests.push(flag.name);
    }
    const arg = description.args && subject.args.find(word => description.args!(word.text));
    if (arg) rests.push(arg.text);
    if (description.ref) rests.push(refOf(hit, subject) ?? "");
  } else rests.push(toolName(subject));
  if (fact?.kind === "env") rests.push(fact.name);
  else if (fact !== undefined && "path" in fact && fact.path) rests.push(fact.path.text);
  else if (fact !== undefined && "host" in fact && fact.host) rests.push(fact.host.text);
  const told: string[] = [];
  for (const text of rests) {
    const safe = shown(text);
    if (safe !== "" && !told.includes(safe)) told.push(safe);
  }
  return told;
}
