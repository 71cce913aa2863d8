import type { Severity } from "../policy/verdict.ts";
import { type ComplianceRule, isSameRule } from "./rule.ts";

export type Outcome = "pass" | "fail" | "not_applicable" | "error";
export type ScanStatus = "pass" | "fail" | "error" | "not_evaluated";

/** One line of a scan, whatever tool wrote it. `path` is relative to the project, with forward slashes. */
export interface ScanResult {
  tool: string;
  rule_id: string;
  status: Outcome;
  severity?: Severity;
  location?: { path: string; line?: number };
  message?: string;
  /** The same finding has the same fingerprint in the next scan, also when lines moved. Lowercase hex. */
  fingerprint: string;
}

export interface Tool {
  name: string;
  version?: string;
}

/** A scan as it was read, before it is compared with the one before. Times are RFC 3339. */
export interface Scan {
  project: string;
  format: "native" | "sarif";
  tools: Tool[];
  commit?: string;
  branch?: string;
  started_at?: string;
  finished_at?: string;
  results: ScanResult[];
  /** Results were left out because there were too many; the most severe were kept. */
  truncated: boolean;
  /** False when the tool says that it could not finish, or does not say that it looked at anything. */
  complete: boolean;
}

export interface ScanSummary {
  pass: number;
  fail: number;
  error: number;
  not_applicable: number;
  new: number;
  fixed: number;
  unchanged: number;
}

/** What a scan is read with. `hash`: lowercase hex SHA-256 of a text. `redact`: takes secrets out of a text. */
export interface ScanReader {
  hash(text: string): string;
  redact(text: string): string;
}

/** Known limits of code-scanning uploads; users meet the same numbers elsewhere. */
export const scanLimits = {
  runs: 20,
  resultsPerRun: 25_000,
  /** Per scan, over all its runs. */
  resultsKept: 5_000,
  rulesPerRun: 25_000,
  locationsPerResult: 1_000,
  /** Of a message, a snippet or an address so much is read, and of a message so much kept. */
  readLength: 16_384,
  messageLength: 500,
  pathLength: 1_024,
} as const;

/** A scan that cannot be taken. `path` is a JSON pointer into the document sent. */
export class ScanError extends Error {
  override readonly name = "ScanError";
  readonly code: "invalid" | "too_many";
  readonly path: string;
  constructor(code: ScanError["code"], path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}

const rank: Record<Severity, number> = { critical: 4, high: 3, medium: 2, low: 1 };
const statusRank: Record<Outcome, number> = { fail: 3, error: 2, pass: 1, not_applicable: 0 };

/** Keeps the failures, the most severe first, in the order they came otherwise. */
export function keepMostSevere<T extends Pick<ScanResult, "status" | "severity">>(results: T[]): [T[], boolean] {
  if (results.length <= scanLimits.resultsKept) return [results, false];
  const weight = (r: T) => statusRank[r.status] * 10 + (r.severity ? rank[r.severity] : 0);
  return [results.toSorted((a, b) => weight(b) - weight(a)).slice(0, scanLimits.resultsKept), true];
}

/** Maps a long list in slices, so that others get their turn. */
export function* inSlices<T, R>(items: readonly T[], map: (item: T) => R): Generator<undefined, R[]> {
  const mapped: R[] = [];
  for (const item of items) {
    mapped.push(map(item));
    if (mapped.length % SLICE === 0) yield undefined;
  }
  return mapped;
}

const SLICE = 50;

/** A failure decides, then an error; a scan that looked at nothing is no pass. */
export function scanStatus(scan: Pick<Scan, "results" | "complete" | "format">): ScanStatus {
  if (scan.results.some(r => r.status === "fail")) return "fail";
  if (scan.results.some(r => r.status === "error")) return "error";
  if (scan.results.some(r => r.status === "pass")) return "pass";
  return scan.format === "sarif" && scan.complete ? "pass" : "not_evaluated";
}

const outcomeOrder: readonly Outcome[] = ["fail", "error", "pass", "not_applicable"];

/** What a scan says about each compliance rule it touches. Foreign tools can only fail a rule: silence is no pass. */
export function ruleOutcomes(
  results: readonly Pick<ScanResult, "tool" | "rule_id" | "status">[],
  rules: readonly ComplianceRule[],
): Record<string, Outcome> {
  const seen = new Map<string, Pick<ScanResult, "tool" | "rule_id"> & { statuses: Set<Outcome> }>();
  for (const { tool, rule_id, status } of results) {
    const key = `${tool}\n${rule_id}`;
    const entry = seen.get(key) ?? { tool, rule_id, statuses: new Set<Outcome>() };
    seen.set(key, entry);
    entry.statuses.add(status);
  }
  const outcomes: Record<string, Outcome> = {};
  for (const rule of rules) {
    const statuses = new Set<Outcome>();
    for (const entry of seen.values()) {
      if (!isSameRule(rule, entry.tool, entry.rule_id)) continue;
      for (const status of entry.statuses) if (rule.id === entry.rule_id || status === "fail") statuses.add(status);
    }
    const outcome = outcomeOrder.find(status => statuses.has(status));
    if (outcome) outcomes[rule.id] = outcome;
  }
  return outcomes;
}
