/** The bytes a pack is hashed and signed as: RFC 8785 canonical JSON, so that the author's YAML layout is of no account. */
import type { Pack } from "./schema.ts";

/** Keeps a signature over a pack from being one over anything else. */
const context = "gatehouse-pack-v1\n";

export function signable(pack: Pack): Uint8Array {
  return new TextEncoder().encode(context + canonical(pack));
}

/** Lowercase hex of SHA-256 over `signable(pack)`; the hash is given, for this code also runs in browsers. */
export function packDigest(pack: Pack, sha256: (bytes: Uint8Array) => Uint8Array): string {
  return [...sha256(signable(pack))].map(byte => byte.toString(16).padStart(2, "0")).join("");
}

/** Members sorted by UTF-16 code units; JSON.stringify writes numbers and strings as RFC 8785 §3.2.2 asks. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}
