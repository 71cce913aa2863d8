import type { OrgStore } from "./org-store.ts";

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
  sign(message: Uint8Array): Uint8Array;
}

/** `path`: a file, created when missing. `image`: a private copy in memory (`OrgStore.serialize`); `:memory:` starts empty. */
export type StorePlace = { path: string } | { image: Uint8Array };

/** Opens the embedded engine. Throws when the file is not such a store or is damaged beyond reading. */
export declare function openOrgStore(place: StorePlace, world: StoreWorld): OrgStore;
