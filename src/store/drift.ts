import type { Drift, DriftKind, ObservedCalls } from "../domain/posture/drift.ts";
import type { Severity } from "../domain/policy/verdict.ts";

/** Differences between declared and observed, kept as either changes: whoever asks reads what is on the page, and counts. */
export interface Drifts {
  /** The heaviest first, then the newest. */
  page(query: DriftQuery): Drift[];
  counts(told: Told): Record<Severity, number>;
}

export interface Told {
  /** Differences last seen before this moment are left out; what is unused is always told. */
  since_ms: number;
  /** Calls that no hook announced: found out elsewhere, told among the rest. */
  unhooked: readonly ObservedCalls[];
}

export interface DriftQuery extends Told {
  kind?: DriftKind;
  severity?: Severity;
  agent_id?: string;
  after?: DriftPosition;
  limit: number;
}

/** The end of a page: its last difference, and how many as heavy and of the same moment were told by then. */
export interface DriftPosition {
  severity: Severity;
  last_seen_ms: number;
  told: number;
}
