import type { Severity } from "../policy/verdict.ts";
import type { SarifResult, SarifRule } from "./sarif-schema.ts";

const levels: Record<string, Severity> = { error: "high", warning: "medium", note: "low", none: "low" };
const words: Record<string, Severity> = {
  critical: "critical",
  high: "high",
  error: "high",
  medium: "medium",
  moderate: "medium",
  warning: "medium",
  low: "low",
  info: "low",
  informational: "low",
};

/**
 * The most exact statement wins: `security-severity` (a CVSS-like number as code scanning reads it: from 9 critical,
 * from 7 high, from 4 medium), a `severity` word in the properties, then `level`, then the rule's default, else
 * `warning` (SARIF §3.27.10).
 */
export function sarifSeverity(result: SarifResult, rule: SarifRule | undefined): Severity {
  const score = securityScore(result.properties) ?? securityScore(rule?.properties);
  if (score !== undefined) return score >= 9 ? "critical" : score >= 7 ? "high" : score >= 4 ? "medium" : "low";
  const word = severityWord(result.properties) ?? severityWord(rule?.properties);
  return word ?? pick(levels, result.level) ?? pick(levels, rule?.defaultConfiguration?.level) ?? "medium";
}

type Properties = Record<string, unknown> | null | undefined;

function securityScore(properties: Properties): number | undefined {
  const value = properties?.["security-severity"];
  const score = typeof value === "string" ? Number.parseFloat(value) : value;
  return typeof score === "number" && score >= 0 && score <= 10 ? score : undefined;
}

function severityWord(properties: Properties): Severity | undefined {
  const value = properties?.["severity"];
  return typeof value === "string" ? pick(words, value.toLowerCase()) : undefined;
}

function pick<T>(table: Record<string, T>, key: string | null | undefined): T | undefined {
  return key != null && Object.hasOwn(table, key) ? table[key] : undefined;
}
