import type { KnownFailure } from "../domain/compliance/compare.ts";
import type { ScanOutcomes } from "../domain/compliance/coverage.ts";
import type { ScanStatus, ScanSummary, Tool } from "../domain/compliance/scan.ts";

/** Enabled frameworks and the scans that were taken. Results themselves stay in the log, at the scan's `seq`. */
export interface Compliance {
  /** In the order they were enabled. */
  enabled(): EnabledFramework[];
  scan(id: string): ScanRow | undefined;
  /** Newest first. */
  scans(query: ScanQuery): ScanRow[];
  projects(query: { after?: string; limit: number }): ProjectRow[];
  /** Failures of the newest scan of a project by the same tools; undefined when there is none. */
  failures(project: string, tools: readonly Tool[]): KnownFailure[] | undefined;
  /** The newest scan of every project and set of tools, for coverage. */
  newest(): ScanOutcomes[];
  /** When the newest scan was received: Unix ms. */
  newestMs(): number | undefined;
}

export interface EnabledFramework {
  framework: string;
  enabled_ms: number;
}

export interface ScanQuery {
  project?: string;
  /** Log position of the last one of the page before. */
  before?: number;
  limit: number;
}

export interface ScanRow {
  id: string;
  /** Where the log holds it. */
  seq: number;
  project: string;
  status: ScanStatus;
  summary: ScanSummary;
  truncated: boolean;
  tools: Tool[];
  commit: string | null;
  branch: string | null;
  received_ms: number;
}

export interface ProjectRow {
  project: string;
  scans: number;
  last_scan_ms: number;
  /** Failures of the newest scans, one of each set of tools. */
  fail: number;
}
