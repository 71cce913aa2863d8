import { type Static, Type } from "@sinclair/typebox";
import { parseDocument } from "../yaml-document.ts";
import { evidenceKinds } from "./evidence.ts";

const closed = { additionalProperties: false };
const Sentence = Type.String({ minLength: 1, maxLength: 600 });

export const Severity = Type.Union([
  Type.Literal("low"),
  Type.Literal("medium"),
  Type.Literal("high"),
  Type.Literal("critical"),
]);

/**
 * What a scanner looks at. It knows nothing of frameworks: those list the rules they rest on.
 * `same_as`: rules of other tools that find the same, as `tool/rule` (`*` at the end allowed); their findings count
 * as failures of this rule, their silence as nothing.
 * `evidence`: no file can tell; the server judges by what it knows.
 */
export const ComplianceRule = Type.Object(
  {
    id: Type.String({ pattern: "^GH-[A-Z]+-[0-9]{3}$" }),
    title: Sentence,
    why: Sentence,
    severity: Severity,
    fix: Sentence,
    evidence: Type.Optional(Type.Union(evidenceKinds.map(kind => Type.Literal(kind)))),
    same_as: Type.Optional(Type.Array(Type.String({ minLength: 3, maxLength: 200 }))),
  },
  closed,
);
export type ComplianceRule = Static<typeof ComplianceRule>;

export const RuleFile = Type.Object({ area: Sentence, rules: Type.Array(ComplianceRule, { minItems: 1 }) }, closed);

/** Reads one file of compliance rules. Throws DocumentError when it is not one. */
export function parseRules(text: string, name: string): ComplianceRule[] {
  return parseDocument(RuleFile, text, name).rules;
}

/** Does a finding of `tool` under `ruleId` mean that this rule fails? */
export function isSameRule(rule: ComplianceRule, tool: string, ruleId: string): boolean {
  if (rule.id === ruleId) return true;
  const wanted = `${tool}/${ruleId}`.toLowerCase();
  return (rule.same_as ?? []).some(alias => {
    const pattern = alias.toLowerCase();
    return pattern.endsWith("*") ? wanted.startsWith(pattern.slice(0, -1)) : wanted === pattern;
  });
}
