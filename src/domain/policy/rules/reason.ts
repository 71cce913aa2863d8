/** From what stands to the sentence people read, and to what it rests on. */
import { type Fact, type Findings, hole, type Invocation, type Span, type Subject } from "../facts.ts";
import { type Call, decisions, type Match, severities } from "../verdict.ts";
import { no } from "./certainty.ts";
import { toolName } from "./tool-test.ts";
import { type FlagTest, flagHolds } from "./flag-test.ts";
import { quoted, shown } from "./quote.ts";
import type { Placeholder } from "./sentence.ts";
import { noFact, type Standing } from "./standing.ts";

/** Standings into sentences; a call is written out once however many rules speak of it. */
export function told(standings: readonly Standing[], call: Call, findings: Findings): Match[] {
  const matches: Match[] = [];
  const written: (string | undefined)[] = [];
  for (let at = 0; at < standings.length; at++) {
    const standing = standings[at]!;
    const subject = findings.subjects[standing.subject]!;
    written[standing.subject] ??= quoted(writtenAs(call, subject));
    const fact = standing.fact === noFact ? undefined : findings.facts[standing.fact];
    matches.push(matchOf(standing, call, subject, fact, written[standing.subject]!));
  }
  return matches;
}

/** `written`: the call as people may read it. */
function matchOf(standing: Standing, call: Call, subject: Subject, fact: Fact | undefined, written: string): Match {
  const { compiled } = standing;
  const { rule } = compiled;
  const what = compiled.what.with(name => filled(name, standing, subject, fact));
  // A tool that its rule names already need not be named twice.
  const named = subject.kind === "mcp" && what.includes(written) ? "The call" : written;
  const shownCall = redirected(call, subject, fact) ?? named;
  const match: Match = {
    rule: rule.id,
    pack: compiled.pack,
    severity: severities[standing.gravity]!,
    decision: decisions[standing.level]!,
    reason: `${shownCall} ${what}. ${rule.why}`,
    instead: rule.instead,
    via: subject.via.length === 0 ? [] : subject.via.map(shown),
    call: shown(shortName(subject)),
  };
  const span = fact?.span ?? subjectSpan(subject);
  if (span !== undefined && call.type === "shell") match.span = unquoted(call.command, span);
  const rests = restsOn(standing, subject, fact);
  if (rests.length > 0) match.rests_on = rests;
  if (standing.by !== undefined) match.by = standing.by;
  return match;
}

/** The call with the redirect that is spoken of, which stands behind it: `echo x >> ~/.bashrc`. */
function redirected(call: Call, subject: Subject, fact: Fact | undefined): string | undefined {
  const [start, end] = subjectSpan(subject) ?? [0, 0];
  if (call.type !== "shell" || fact?.span === undefined || fact.kind !== "file" || fact.span[0] < end) return undefined;
  const between = call.command.slice(end, fact.span[0]);
  return /^[^\n;|&(){}]{0,40}>[>|]? ?$/.test(between) ? quoted(call.command.slice(start, fact.span[1])) : undefined;
}

/** A command handed over in quotes stands between them. */
function unquoted(command: string, [start, end]: Span): Span {
  const quote = command[start];
  const wrapped = end - start > 2 && (quote === "'" || quote === '"') && command[end - 1] === quote;
  return wrapped ? [start + 1, end - 1] : [start, end];
}

const subjectSpan = (subject: Subject) => (subject.kind === "run" ? subject.span : undefined);

/** From the program to the end of its last word: what Windows runs is noted by its name alone. */
function wholeSpan(subject: Invocation, command: string): Span | undefined {
  const { span, dialect, args, flags } = subject;
  if (span === undefined || dialect === "posix" || subject.via.length > 0) return span;
  const ends = [...args, ...flags, ...flags.map(flag => flag.value)].map(word => word?.span?.[1] ?? 0);
  let end = Math.max(span[1], ...ends);
  while (end < command.length && !/[\s;|&]/.test(command[end]!)) end++;
  return [span[0], end];
}

function shortName(subject: Subject): string {
  if (subject.kind === "mcp") return toolName(subject);
  let name = subject.program;
  for (const subcommand of subject.subcommands) name += ` ${subcommand}`;
  return name;
}

/** The invocation in the author's own spelling where there is one, else as it was resolved. */
export function writtenAs(call: Call, subject: Subject): string {
  if (subject.kind === "mcp") return toolName(subject);
  const span = call.type === "shell" ? wholeSpan(subject, call.command) : undefined;
  if (span !== undefined && call.type === "shell") {
    const [start, end] = unquoted(call.command, span);
    const text = call.command.slice(start, end);
    // A name put together by the shell is told as what it came to.
    if (subject.program.includes(hole) || text.toLowerCase().includes(subject.program)) return text;
  }
  const flags = subject.flags.map(flag => (flag.value === undefined ? flag.name : `${flag.name}=${flag.value.text}`));
  return [subject.program, ...subject.subcommands, ...flags, ...subject.args.map(arg => arg.text)].join(" ");
}

/** Undefined where nothing is known that people could be told. */
function filled(name: Placeholder, standing: Standing, subject: Subject, fact: Fact | undefined): string | undefined {
  const value = valueFor(name, standing, subject, fact);
  return value === undefined || value === "" || /^\$\w+$|^\$\{/.test(value) || value === hole
    ? undefined
    : quoted(value);
}

/** As seen from where the call starts. */
const fromHere = (path: string): string => path.replace(/^\$repo(\/|$)/, "") || ".";

function valueFor(name: Placeholder, standing: Standing, subject: Subject, fact: Fact | undefined): string | undefined {
  switch (name) {
    case "path":
      return fact !== undefined && "path" in fact && fact.path ? fromHere(fact.path.text) : undefined;
    case "host":
      return fact !== undefined && "host" in fact ? fact.host?.text : undefined;
    case "env":
      return fact?.kind === "env" ? fact.name : undefined;
    case "ref":
      return subject.kind === "run" ? refOf(standing, subject) : undefined;
    case "tool":
      return subject.kind === "mcp" ? toolName(subject) : undefined;
    case "program":
      return subject.kind === "run" ? (starterOf(subject, fact) ?? subject.program) : undefined;
  }
}

/** Who started a shell that nobody asked for: `tar --checkpoint-action=exec=sh` is what `tar` did. */
function starterOf({ via }: Invocation, fact: Fact | undefined): string | undefined {
  if (fact?.kind !== "flow" || fact.from !== "shell") return undefined;
  return via.findLast(step => /^[\w.+-]+( |$)/.test(step))?.split(" ")[0];
}

function refOf({ description: { ref } }: Standing, { refs }: Invocation): string | undefined {
  const named = ref === undefined ? undefined : refs.find(word => ref.fits(word.text));
  return (named ?? refs[0])?.text.replace(/^\+?(refs\/(heads|tags)\/)?/, "");
}

/** Words the match could not have done without. A variable is named, its value never shown. */
function restsOn(standing: Standing, subject: Subject, fact: Fact | undefined): string[] {
  const { description } = standing;
  const told: string[] = [];
  if (subject.kind === "run") {
    if (description.flags !== undefined) tellFlag(description.flags, subject, told);
    if (description.flagsAll !== undefined) for (const test of description.flagsAll) tellFlag(test, subject, told);
    const arg = description.args && subject.args.find(word => description.args!.fits(word.text));
    if (arg) tell(arg.text, told);
    if (description.ref) tell(refOf(standing, subject) ?? "", told);
  } else tell(toolName(subject), told);
  if (fact?.kind === "env") tell(fact.name, told);
  else if (fact !== undefined && "path" in fact && fact.path) tell(fromHere(fact.path.text), told);
  else if (fact !== undefined && "host" in fact && fact.host) tell(fact.host.text, told);
  return told;
}

function tellFlag(test: FlagTest, call: Invocation, told: string[]): void {
  const flag = call.flags.find(given => flagHolds(test, given, call) !== no);
  if (flag !== undefined) tell(flag.name, told);
}

function tell(text: string, told: string[]): void {
  const safe = shown(text);
  if (safe !== "" && !told.includes(safe)) told.push(safe);
}
