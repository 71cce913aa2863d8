import type { Catalogue, Check } from "./check.ts";
import { type CheckResult, evaluate, type Finding } from "./evaluate.ts";
import { openSource, type Scope } from "./source.ts";
import { type Moved, walk } from "./walk.ts";

export interface ScanOptions {
  project: string;
  /** Absent: the home is not looked at, and what only stands there stays unevaluated. */
  home?: string;
  /** Folders of agents that a variable has moved out of the home. */
  moved?: Moved;
  /** Root of the file system, to see what an administrator has set for everybody. */
  managed?: string;
  catalogue: Catalogue;
}

export interface Scanned {
  results: CheckResult[];
  unread: string[];
  files: number;
}

export function scan({ project, home, moved, managed, catalogue: { checks, kinds } }: ScanOptions): Scanned {
  const roots: [Scope, string | undefined][] = [
    ["project", project],
    ["home", home],
    ["managed", managed],
  ];
  const looked = roots.flatMap(([scope, root]) => (root === undefined ? [] : [{ scope, root }]));
  const parts = looked.map(({ scope, root }) => walk(root, scope, kinds, scope === "home" ? moved : undefined));
  const files = parts.flatMap(part => part.files);
  const results = evaluate(checks, openSource(files, kinds, new Set(looked.map(({ scope }) => scope))));
  return { results, unread: parts.flatMap(part => part.unread), files: files.length };
}

const severities = ["low", "medium", "high", "critical"] as const;
export type FailOn = (typeof severities)[number] | "never";
export const failOnValues: readonly string[] = [...severities, "never"];

/** Whether a scan fails a build: something at least that severe was found. */
export function fails(results: readonly CheckResult[], failOn: FailOn): boolean {
  if (failOn === "never") return false;
  const least = severities.indexOf(failOn);
  return results.some(({ status, check }) => status === "fail" && severities.indexOf(check.severity) >= least);
}

export interface ScanFrame {
  project: string;
  commit?: string;
  branch?: string;
  tool: { name: string; version: string };
  started_at: string;
  finished_at: string;
}

interface NativeResult {
  rule_id: string;
  status: "pass" | "fail" | "not_applicable" | "error";
  severity?: Check["severity"];
  location?: { path: string; line?: number };
  message?: string;
}

/** The native form of `POST /compliance/scans`. What was not evaluated is left out. */
export function nativeScan(frame: ScanFrame, results: readonly CheckResult[]): ScanFrame & { results: NativeResult[] } {
  return { ...frame, results: results.flatMap(nativeResults) };
}

function nativeResults(result: CheckResult): NativeResult[] {
  const { check, status } = result;
  if (status === "not_evaluated") return [];
  const base = { rule_id: check.id, status, severity: check.severity };
  if (!("findings" in result)) return [base];
  return result.findings.map(finding => ({ ...base, location: locationOf(finding), message: finding.message }));
}

const locationOf = ({ path, line }: Finding): { path: string; line?: number } =>
  line === undefined ? { path } : { path, line };
