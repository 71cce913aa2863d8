/** What was found in a call, printed in the words of the rule language: what an author can describe. */
import type { Fact, Findings, Invocation, Subject } from "../facts.ts";
import { toolName } from "./tool-test.ts";
import { shown } from "./quote.ts";

export function printFacts(findings: Findings): string {
  const lines: string[] = [];
  for (const [at, subject] of findings.subjects.entries()) {
    lines.push(subjectLine(subject));
    for (const fact of findings.facts) if (fact.of === at) lines.push(`  ${factLine(fact)}`);
  }
  for (const gap of findings.gaps)
    lines.push(`not understood: ${gap.why.replaceAll("_", " ")} ${shown(gap.detail)}`.trim());
  return lines.length === 0 ? "nothing runs" : lines.join("\n");
}

function subjectLine(subject: Subject): string {
  const through = subject.via.length > 0 ? `   # through ${subject.via.map(shown).join(" → ")}` : "";
  if (subject.kind === "run") return `${runLine(subject)}${through}`;
  const names = Object.keys(subject.input);
  return `mcp: ${toolName(subject)}${names.length > 0 ? `  input: ${names.map(shown).join(" ")}` : ""}${through}`;
}

function runLine(call: Invocation): string {
  const parts = [`run: ${shown([call.program, ...call.subcommands].join(" "))}`];
  const flags = call.flags.map(flag => (flag.value === undefined ? flag.name : `${flag.name}=${flag.value.text}`));
  if (flags.length > 0) parts.push(`flags: ${flags.map(shown).join(" ")}`);
  if (call.args.length > 0) parts.push(`args: ${call.args.map(arg => unsure(arg)).join(" ")}`);
  if (call.refs.length > 0) parts.push(`ref: ${call.refs.map(ref => unsure(ref)).join(" ")}`);
  if (call.interactive) parts.push("interactive: true");
  if (call.dialect !== "posix") parts.push(`dialect: ${call.dialect}`);
  return parts.join("  ");
}

function factLine(fact: Fact): string {
  switch (fact.kind) {
    case "file": {
      const more = [
        fact.recursive ? "recursive: true" : "",
        fact.grants?.length ? `grants: ${fact.grants.join(" ")}` : "",
      ];
      return [`does: ${fact.does}`, `path: ${unsure(fact.path)}`, ...more].filter(Boolean).join("  ");
    }
    case "flow": {
      const flow = `flow: ${fact.from} ${fact.both ? "<->" : "->"} ${fact.to}`;
      return [flow, fact.host && `host: ${unsure(fact.host)}`, fact.path && `path: ${unsure(fact.path)}`]
        .filter(Boolean)
        .join("  ");
    }
    case "net":
      return `net: ${fact.does}  host: ${unsure(fact.host)}`;
    case "env":
      return `env: ${shown(fact.name)}`;
    default:
      return `sql: ${fact.does}`;
  }
}

const unsure = (word: { text: string; known: boolean }): string =>
  `${shown(word.text)}${word.known ? "" : " (not sure)"}`;
