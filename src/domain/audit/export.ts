import { Frontier } from "./frontier.ts";
import { decodeLeaf, noHash } from "./leaf.ts";
import { leafHash, type Sha256 } from "./merkle.ts";
import { type Checkpoint, openCheckpoint, parseVkey, type VerifySignature } from "./note.ts";

/** Why an export cannot be trusted. `seq` is where the chain breaks, if it is the chain. */
export type ExportFlaw = "bad_key" | "bad_signature" | "bad_leaf" | "broken_chain" | "truncated" | "wrong_root";
export type ExportVerdict =
  | { valid: true; checkpoint: Checkpoint }
  | { valid: false; flaw: ExportFlaw; seq?: number; expected?: string; found?: string };

/**
 * Checks an export offline: every leaf in order up to the checkpoint's size, the chain of `prev`, times that never go back,
 * the Merkle root, the signature. Leaves beyond the checkpoint's size are not looked at.
 */
export function verifyExport(
  tools: { sha256: Sha256; verify: VerifySignature },
  leaves: Iterable<Uint8Array>,
  note: string,
  vkey: string,
): ExportVerdict {
  const key = parseVkey(tools.sha256, vkey);
  if (!key) return { valid: false, flaw: "bad_key" };
  const checkpoint = openCheckpoint(tools.sha256, note, key, tools.verify);
  if (checkpoint?.origin !== key.name) return { valid: false, flaw: "bad_signature" };
  const tree = new Frontier(tools.sha256);
  const flaw = checkChain(tools.sha256, leaves, checkpoint.size, tree);
  if (flaw) return flaw;
  const [expected, found] = [checkpoint.root.toHex(), tree.root().toHex()];
  return expected === found ? { valid: true, checkpoint } : { valid: false, flaw: "wrong_root", expected, found };
}

function checkChain(
  sha256: Sha256,
  leaves: Iterable<Uint8Array>,
  size: number,
  tree: Frontier,
): ExportVerdict | undefined {
  const text = new TextDecoder();
  let prev = noHash;
  let ts = 0;
  if (size === 0) return undefined;
  for (const bytes of leaves) {
    const seq = tree.size;
    const leaf = decodeLeaf(text.decode(bytes));
    if (!leaf) return { valid: false, flaw: "bad_leaf", seq };
    if (leaf.seq !== seq)
      return { valid: false, flaw: "broken_chain", seq, expected: String(seq), found: String(leaf.seq) };
    if (leaf.prev !== prev) return { valid: false, flaw: "broken_chain", seq, expected: prev, found: leaf.prev };
    if (leaf.ts < ts)
      return { valid: false, flaw: "broken_chain", seq, expected: `ts >= ${ts}`, found: String(leaf.ts) };
    const hash = leafHash(sha256, bytes);
    tree.append(hash);
    prev = hash.toHex();
    ts = leaf.ts;
    if (tree.size === size) return undefined;
  }
  return { valid: false, flaw: "truncated", seq: tree.size, expected: String(size), found: String(tree.size) };
}
