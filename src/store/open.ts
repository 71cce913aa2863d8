import type { OrgStore } from "./org-store.ts";
import { openSqliteStore } from "./sqlite/open.ts";

export { inMemoryOnly } from "./sqlite/database.ts";
export { verifyPart } from "./sqlite/verify-part.ts";

/** What a store is given from outside, so that tests decide time and chance. */
export interface StoreWorld {
  /** Origin and key name of the signed notes: `gatehouse/<org_id>`, fixed at creation. */
  origin: string;
  signer: Signer;
  /** Unix ms. */
  now(): number;
  random(bytes: number): Uint8Array;
  /** Secret of this organisation: equal secrets in its log get equal tags. */
  redactionKey: Uint8Array;
}

export interface Signer {
  /** Ed25519 public key, 32 bytes. */
  publicKey: Uint8Array;
  /** Public keys that signed earlier checkpoints of this log. */
  formerKeys?: readonly Uint8Array[];
  sign(message: Uint8Array): Uint8Array;
}

/**
 * `path`: a file, created when missing; `:memory:` starts empty. `after_failure`: a read, write or sync of it has failed
 * before, so what was committed is made durable anew and the log's end is recomputed; a wrong end opens frozen. `image`: a private copy in memory (`OrgStore.serialize`)
 * that may grow to `bytes_max`; past it a commit fails as on a full disk.
 */
export type StorePlace = { path: string; after_failure?: boolean } | { image: Uint8Array; bytes_max?: number };

/**
 * Opens the embedded engine. A log whose end is damaged or behind its checkpoint opens frozen (`OrgStore.frozen`);
 * throws refusal `unavailable`, with the engine's error as `cause`, when the file cannot be read at all.
 */
export function openOrgStore(place: StorePlace, world: StoreWorld): OrgStore {
  return openSqliteStore(place, world);
}
