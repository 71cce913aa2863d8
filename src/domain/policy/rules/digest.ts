/** The bytes a pack is hashed and signed as: RFC 8785 canonical JSON, so that the author's YAML layout is of no account. */
import { canonicalJson } from "../../canonical-json.ts";
import type { Pack } from "./schema.ts";

/** Keeps a signature over a pack from being one over anything else. */
const context = "gatehouse-pack-v1\n";

export function signable(pack: Pack): Uint8Array {
  return new TextEncoder().encode(context + canonicalJson(pack));
}

/** Lowercase hex of SHA-256 over `signable(pack)`; the hash is given, for this code also runs in browsers. */
export function packDigest(pack: Pack, sha256: (bytes: Uint8Array) => Uint8Array): string {
  return [...sha256(signable(pack))].map(byte => byte.toString(16).padStart(2, "0")).join("");
}
