import type { ExportFlaw } from "./export.ts";
import { decodeLeaf } from "./leaf.ts";
import { leafHash, type Sha256, verifyInclusion } from "./merkle.ts";
import { type Checkpoint, openCheckpoint, parseVkey, type VerifySignature } from "./note.ts";

/** What proves a window: its leaves as they are, the way from its last leaf to the root, the signed root. */
export interface WindowProof {
  leaves: Iterable<Uint8Array>;
  /** Of the window's last entry; base64, lowest level first (`GET /posture/proof`). */
  hashes: string[];
  checkpoint: string;
}
export type WindowVerdict =
  | { valid: true; checkpoint: Checkpoint; from: number; to: number; count: number }
  | { valid: false; flaw: ExportFlaw; seq?: number; expected?: string; found?: string };

/**
 * Checks a window of the log offline: each leaf names the hash of the one before, and the last one is in the signed tree
 * (RFC 9162 §2.1.3.2). As every leaf commits to the one before, that one inclusion proof binds the whole window.
 * `from` and `to` (inclusive) are what was asked for; without them any unbroken window passes.
 */
export function verifyWindow(
  tools: { sha256: Sha256; verify: VerifySignature },
  { leaves, hashes, checkpoint: note }: WindowProof,
  vkey: string,
  asked: { from?: number; to?: number } = {},
): WindowVerdict {
  const { sha256, verify } = tools;
  const key = parseVkey(sha256, vkey);
  if (!key) return { valid: false, flaw: "bad_key" };
  const checkpoint = openCheckpoint(sha256, note, key, verify);
  if (checkpoint?.origin !== key.name) return { valid: false, flaw: "bad_signature" };
  const chain = linked(sha256, leaves, asked.from);
  if ("flaw" in chain) return chain;
  const { from, to, count, hash } = chain;
  if (asked.to !== undefined && to !== asked.to)
    return { valid: false, flaw: "truncated", seq: to + 1, expected: String(asked.to), found: String(to) };
  const proof = hashesOf(hashes);
  const claim = { seq: to, size: checkpoint.size, leafHash: hash, root: checkpoint.root };
  return proof && verifyInclusion(sha256, { ...claim, proof })
    ? { valid: true, checkpoint, from, to, count }
    : { valid: false, flaw: "wrong_root", seq: to };
}

interface Linked {
  from: number;
  to: number;
  count: number;
  /** Leaf hash of the last. */
  hash: Uint8Array;
}

function linked(
  sha256: Sha256,
  leaves: Iterable<Uint8Array>,
  asked_from: number | undefined,
): Linked | (WindowVerdict & { valid: false }) {
  const text = new TextDecoder();
  let [from, next, ts] = [asked_from, asked_from, 0];
  let hash: Uint8Array | undefined;
  for (const bytes of leaves) {
    const leaf = decodeLeaf(text.decode(bytes));
    if (!leaf) return { valid: false, flaw: "bad_leaf", ...(next === undefined ? {} : { seq: next }) };
    from ??= leaf.seq;
    next ??= leaf.seq;
    const broken = (expected: string, found: string) =>
      ({ valid: false, flaw: "broken_chain", seq: leaf.seq, expected, found }) as const;
    if (leaf.seq !== next) return broken(String(next), String(leaf.seq));
    const prev = hash?.toHex();
    if (prev !== undefined && leaf.prev !== prev) return broken(prev, leaf.prev);
    if (leaf.ts < ts) return broken(`ts >= ${ts}`, String(leaf.ts));
    hash = leafHash(sha256, bytes);
    [next, ts] = [leaf.seq + 1, leaf.ts];
  }
  if (!hash) return { valid: false, flaw: "truncated" };
  return { from: from!, to: next! - 1, count: next! - from!, hash };
}

function hashesOf(texts: string[]): Uint8Array[] | undefined {
  try {
    return texts.map(text => Uint8Array.fromBase64(text));
  } catch {
    return undefined;
  }
}
