import type { Agents } from "./agents.ts";
import type { AuditStats } from "./audit-stats.ts";
import type { Compliance } from "./compliance.ts";
import type { Drifts } from "./drift.ts";
import type { Log } from "./log.ts";
import type { Policies } from "./policies.ts";
import type { Posture } from "./posture.ts";
import type { Settings } from "./settings.ts";

/** Everything one organisation keeps, behind one door. One writer; nothing outside `store/` knows the engine. */
export interface OrgStore {
  readonly log: Log;
  readonly audit: AuditStats;
  readonly agents: Agents;
  readonly compliance: Compliance;
  readonly drift: Drifts;
  readonly policies: Policies;
  readonly posture: Posture;
  readonly settings: Settings;
  /**
   * One group commit: work, seal what was appended, checkpoint when one is due, make durable. When `work` throws
   * nothing of it remains. Not re-entrant. Throws refusal `read_only` when the log does not match its recorded head.
   */
  commit<T>(work: () => T): T;
  /** Inside `commit`: one command of the group. When it throws, its own entries and changes are taken back, nobody else's. */
  attempt<T>(work: () => T): T;
  /** Why the store takes no commits, for the operator; undefined in health. Damage found on opening freezes at once. */
  readonly frozen: string | undefined;
  /** From now on every commit is refused with `read_only`. */
  freeze(reason: string): void;
  /**
   * Drops every projection and builds it again from the log, in one transaction that lasts until the generator is
   * done: nothing else may commit meanwhile. Yields the seq reached after each slice.
   */
  rebuild(): Generator<number, void>;
  /** The whole store as one image, for a template or a backup. */
  serialize(): Uint8Array;
  /** Lets go of what is remembered only to be quick. Not during a commit. */
  rest(): void;
  /** Bytes it takes, in its file or in memory. */
  sizeBytes(): number;
  close(): void;
}
