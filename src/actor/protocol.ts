import type { LogHead } from "../domain/audit/leaf.ts";
import type { RefusalCode, RefusalExtra } from "../errors.ts";
import type { Keys } from "../keys.ts";
import type { Level } from "../logger.ts";

/** What goes between the main thread and an organisation worker. Plain data only; bytes are transferred, not copied. */
export interface Start {
  kind: "start";
  /** Folder of the organisations' files. */
  orgs: string;
  /** What the organisations' own keys are derived from. */
  keys: Pick<Keys, "log" | "redaction" | "packs">;
  /** Milliseconds added to the clock, shared with whoever sets it. */
  clock?: SharedArrayBuffer;
  stores_max: number;
  heartbeat_s: number;
}

/** All that the demo's thread is given: no folder, no key, no setting but the size of the demo. */
export interface DemoStart {
  kind: "start";
  clock?: SharedArrayBuffer;
  heartbeat_s: number;
  /** Workspaces kept at a time. */
  capacity: number;
  idle_s: number;
}

/** All that a thread is given which verifies beside those that write. */
export interface VerifyStart {
  kind: "start";
  orgs: string;
}

export interface Ask {
  kind: "ask";
  id: number;
  /** Empty for questions that touch no organisation. */
  org: string;
  question: string;
  input: unknown;
  /** Sent with the first question about an organisation, and again when its standing has changed. */
  intro?: Intro;
}

/** What the directory knows of an organisation and its thread has to. */
export interface Intro {
  /** The head on record; null when there is none yet. */
  recorded: LogHead | null;
  standing: Standing;
}

/** What its plan gives it. */
export interface Standing {
  /** Packs marked `plan: entitled` are included. */
  entitled: boolean;
  /** Bodies of telemetry older than this are erased; null keeps them. */
  retention_days: number | null;
}

export type ToWorker =
  | Start
  | DemoStart
  | VerifyStart
  | Ask
  /** The caller of a long answer has taken so many chunks, or has gone. */
  | { kind: "taken"; id: number; count: number }
  | { kind: "cancel"; id: number }
  | { kind: "ping" }
  | { kind: "close" };

export interface HeadReport {
  org: string;
  head: LogHead;
}

export type FromWorker =
  /** `tid`: the system's number of the thread (/proc), where there is one. */
  | { kind: "ready"; tid?: number }
  /** What it does until its next message takes long and is no fault. */
  | { kind: "busy" }
  | { kind: "answer"; id: number; answer: unknown }
  | { kind: "chunk"; id: number; bytes: Uint8Array }
  | { kind: "refused"; id: number; code: RefusalCode; extra: RefusalExtra }
  /** `cause` is for the operator's log only. */
  | { kind: "failed"; id: number; cause: string }
  | { kind: "heads"; heads: HeadReport[] }
  | { kind: "log"; level: Level; message: string; fields: Record<string, string | number> }
  | { kind: "pong" }
  | { kind: "closed" };
