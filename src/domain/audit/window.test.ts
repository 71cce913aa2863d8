import { describe, expect, test } from "bun:test";
import { ed25519Signer, sha256, verifyEd25519 } from "../../store/crypto.ts";
import { encodeLeaf, noHash } from "./leaf.ts";
import { inclusionProof, leafHash, nodeHash, rangeRoot, type Subtree } from "./merkle.ts";
import { formatVkey, signCheckpoint } from "./note.ts";
import { verifyWindow } from "./window.ts";

const SIZE = 300;
const signer = ed25519Signer(new Uint8Array(32).fill(3));
const key = { name: "gatehouse/org_1", publicKey: signer.publicKey };
const vkey = formatVkey(sha256, key);
const leaves: Uint8Array[] = [];
let prev = noHash;
for (let seq = 0; seq < SIZE; seq++) {
  const leaf = encodeLeaf({ digest: sha256(Uint8Array.of(seq % 256)).toHex(), kind: "shell.exec", prev, seq, ts: seq });
  leaves.push(new TextEncoder().encode(leaf));
  prev = leafHash(sha256, leaves[seq]!).toHex();
}
/** The root of a perfect subtree, from its halves. */
const subtree: Subtree = (height, index) =>
  height === 0
    ? leafHash(sha256, leaves[index]!)
    : nodeHash(sha256, subtree(height - 1, index * 2), subtree(height - 1, index * 2 + 1));
const checkpoint = signCheckpoint(
  sha256,
  { origin: key.name, size: SIZE, root: rangeRoot(sha256, subtree, 0, SIZE) },
  signer.publicKey,
  signer.sign,
);
const tools = { sha256, verify: verifyEd25519 };
const hashesOf = (seq: number) => inclusionProof(sha256, subtree, seq, SIZE).map(hash => hash.toBase64());
const proofOf = (from: number, to: number) => ({
  leaves: leaves.slice(from, to + 1),
  hashes: hashesOf(to),
  checkpoint,
});
const changed = (leaf: Uint8Array) =>
  new TextEncoder().encode(
    new TextDecoder().decode(leaf).replace(/"digest":"(.)/, (_, c) => `"digest":"${c === "f" ? "0" : "f"}`),
  );

describe("a window of the log", () => {
  test.each([
    [0, 0],
    [0, SIZE - 1],
    [17, 17],
    [100, 163],
    [255, 256],
    [298, 299],
  ])("from %d to %d is proved by its leaves and one path", (from, to) => {
    expect(verifyWindow(tools, proofOf(from, to), vkey, { from, to })).toMatchObject({
      valid: true,
      from,
      to,
      count: to - from + 1,
    });
  });

  test("no leaf of it may change: a middle one breaks the chain, the last one misses the root", () => {
    const proof = proofOf(100, 110);
    for (let at = 0; at < proof.leaves.length; at++) {
      const with_changed = {
        ...proof,
        leaves: proof.leaves.map((leaf, index) => (index === at ? changed(leaf) : leaf)),
      };
      const last = at === proof.leaves.length - 1;
      expect(verifyWindow(tools, with_changed, vkey)).toMatchObject(
        last ? { valid: false, flaw: "wrong_root", seq: 110 } : { valid: false, flaw: "broken_chain", seq: 101 + at },
      );
    }
  });

  test("a leaf left out, a window cut short, one that starts elsewhere, and an empty one are refused", () => {
    const proof = proofOf(100, 110);
    const without = { ...proof, leaves: proof.leaves.filter((_, at) => at !== 4) };
    expect(verifyWindow(tools, without, vkey)).toMatchObject({ flaw: "broken_chain", expected: "104", found: "105" });
    const short = proofOf(100, 108);
    expect(verifyWindow(tools, short, vkey, { from: 100, to: 110 })).toMatchObject({ flaw: "truncated", seq: 109 });
    expect(verifyWindow(tools, proof, vkey, { from: 99, to: 110 })).toMatchObject({ flaw: "broken_chain", seq: 100 });
    expect(verifyWindow(tools, { ...proof, leaves: [] }, vkey)).toEqual({ valid: false, flaw: "truncated" });
  });

  test("the path of another entry, a path that is no base64, another key and another signature are refused", () => {
    const proof = proofOf(100, 110);
    expect(verifyWindow(tools, { ...proof, hashes: hashesOf(111) }, vkey)).toMatchObject({ flaw: "wrong_root" });
    expect(verifyWindow(tools, { ...proof, hashes: ["?"] }, vkey)).toMatchObject({ flaw: "wrong_root" });
    expect(verifyWindow(tools, proof, "nobody")).toEqual({ valid: false, flaw: "bad_key" });
    const other = formatVkey(sha256, { ...key, publicKey: ed25519Signer(new Uint8Array(32)).publicKey });
    expect(verifyWindow(tools, proof, other)).toEqual({ valid: false, flaw: "bad_signature" });
    expect(verifyWindow({ ...tools, verify: () => false }, proof, vkey)).toEqual({
      valid: false,
      flaw: "bad_signature",
    });
  });
});
