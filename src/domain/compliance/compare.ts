import type { Scan, ScanResult, ScanSummary } from "./scan.ts";

/** Failures only: `state` says whether the scan before had it too. */
export type ComparedResult = ScanResult & { state?: "new" | "unchanged" };

/** What must be known of a failure to find it again. */
export type KnownFailure = Pick<ScanResult, "rule_id" | "fingerprint">;

export interface Comparison {
  results: ComparedResult[];
  /** Failures of the scan before that are gone. */
  fixed: KnownFailure[];
  summary: ScanSummary;
}

/**
 * Compares a scan with the failures of the one before, of the same project and tools (none: everything is new).
 * A failure counts as fixed only if it was looked for again: not by a scan that was cut, did not finish, or (native
 * form) did not evaluate its rule.
 */
export function compareScans(current: Scan, failures: readonly KnownFailure[]): Comparison {
  const known = new Set(failures.map(r => r.fingerprint));
  const now = new Set(current.results.filter(r => r.status === "fail").map(r => r.fingerprint));
  const lookedAgain = looksAgain(current);
  const fixed = failures.filter(r => !now.has(r.fingerprint) && lookedAgain(r));
  const results = current.results.map(r => withState(r, known));
  return { results, fixed, summary: summarise(results, fixed.length) };
}

export function failuresOf(results: readonly ScanResult[]): KnownFailure[] {
  return results.filter(r => r.status === "fail").map(({ rule_id, fingerprint }) => ({ rule_id, fingerprint }));
}

function withState(result: ScanResult, known: ReadonlySet<string>): ComparedResult {
  if (result.status !== "fail") return result;
  return { ...result, state: known.has(result.fingerprint) ? "unchanged" : "new" };
}

function looksAgain(scan: Scan): (failure: KnownFailure) => boolean {
  if (scan.truncated || !scan.complete) return () => false;
  if (scan.format === "sarif") return () => true;
  const evaluated = new Set(scan.results.filter(r => r.status !== "error").map(r => r.rule_id));
  return failure => evaluated.has(failure.rule_id);
}

function summarise(results: readonly ComparedResult[], fixed: number): ScanSummary {
  const summary = { pass: 0, fail: 0, error: 0, not_applicable: 0, new: 0, fixed, unchanged: 0 };
  for (const { status, state } of results) {
    summary[status]++;
    if (state) summary[state]++;
  }
  return summary;
}
