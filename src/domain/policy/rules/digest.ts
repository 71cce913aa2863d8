/** The bytes a pack is hashed and signed as: RFC 8785 canonical JSON, so that the author's YAML layout is of no account. */
import { canonicalJson } from "../../canonical-json.ts";
import type { Pack } from "./schema.ts";

/** Keeps a signature over a pack from being one over anything else. */
const context = "gatehouse-pack-v1\n";

export function signable(pack: Pack): Uint8Array {
  return new TextEncoder().encode(context + canonicalJson(pack));
}
