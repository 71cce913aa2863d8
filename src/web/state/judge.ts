import { decide } from "../../domain/policy/decide.ts";
import { findings } from "../../domain/policy/engine/findings.ts";
import type { Gap, Subject } from "../../domain/policy/facts.ts";
import { compileRulebook, type Rulebook } from "../../domain/policy/rules/compile.ts";
import type { Pack } from "../../domain/policy/rules/schema.ts";
import type { Call, Verdict } from "../../domain/policy/verdict.ts";

/** The server's own evaluator, run in the browser: nothing that is typed here leaves it. */
export interface Judged {
  verdict: Verdict;
  /** Every invocation the engine found, whatever wrapped it. */
  subjects: Subject[];
  gaps: Gap[];
  took_ms: number;
}

export const bookOf = (packs: Pack[]): Rulebook => compileRulebook({ packs, entitled: true });

export function judge(call: Call, book: Rulebook): Judged {
  // Once unmeasured: the first run of all pays for the browser's own warming up.
  decide(call, book, "enforce");
  const started = performance.now();
  const verdict = decide(call, book, "enforce");
  const took_ms = performance.now() - started;
  const { subjects, gaps } = findings(call);
  return { verdict, subjects, gaps, took_ms };
}

/** A subject as a person would write it. */
export function spelled(subject: Subject): string {
  if (subject.kind === "mcp") return `${subject.server}/${subject.tool}`;
  const flags = subject.flags.map(({ name, value }) => (value ? `${name}=${value.text}` : name));
  return [
    subject.path ?? subject.program,
    ...subject.subcommands,
    ...flags,
    ...subject.args.map(({ text }) => text),
  ].join(" ");
}
