import type { Scan, ScanResult, ScanSummary } from "./scan.ts";

/** Failures only: `state` says whether the scan before had it too. */
export type ComparedResult = ScanResult & { state?: "new" | "unchanged" };

export interface Comparison {
  results: ComparedResult[];
  /** Failures of the scan before that are gone. */
  fixed: ScanResult[];
  summary: ScanSummary;
}

/**
 * Compares a scan with the one before of the same project and tools (null: none, everything is new).
 * A failure counts as fixed only if it was looked for again: not by a scan that was cut, did not finish, or (native
 * form) did not evaluate its rule.
 */
export function compareScans(current: Scan, previous: { results: readonly ScanResult[] } | null): Comparison {
  const failures = (previous?.results ?? []).filter(r => r.status === "fail");
  const known = new Set(failures.map(r => r.fingerprint));
  const now = new Set(current.results.filter(r => r.status === "fail").map(r => r.fingerprint));
  const lookedAgain = looksAgain(current);
  const fixed = failures.filter(r => !now.has(r.fingerprint) && lookedAgain(r));
  const results = current.results.map(r => withState(r, known));
  return { results, fixed, summary: summarise(results, fixed.length) };
}

function withState(result: ScanResult, known: ReadonlySet<string>): ComparedResult {
  if (result.status !== "fail") return result;
  return { ...result, state: known.has(result.fingerprint) ? "unchanged" : "new" };
}

function looksAgain(scan: Scan): (result: ScanResult) => boolean {
  if (scan.truncated || !scan.complete) return () => false;
  if (scan.format === "sarif") return () => true;
  const evaluated = new Set(scan.results.filter(r => r.status !== "error").map(r => r.rule_id));
  return result => evaluated.has(result.rule_id);
}

function summarise(results: readonly ComparedResult[], fixed: number): ScanSummary {
  const summary = { pass: 0, fail: 0, error: 0, not_applicable: 0, new: 0, fixed, unchanged: 0 };
  for (const { status, state } of results) {
    summary[status]++;
    if (state) summary[state]++;
  }
  return summary;
}
