import type { Mode } from "../domain/policy/verdict.ts";

/** What an admin sets for the whole organisation. */
export interface Settings {
  mode(): ModeSetting;
}

export interface ModeSetting {
  mode: Mode;
  /** Unix ms; null while it is the one the organisation began with. */
  changed_ms: number | null;
  /** Account id. */
  changed_by: string | null;
}
