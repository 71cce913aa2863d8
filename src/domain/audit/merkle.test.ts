import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { sha256 } from "../../store/crypto.ts";
import { Frontier } from "./frontier.ts";
import {
  consistencyProof,
  type Hash,
  inclusionProof,
  leafHash,
  nodeHash,
  rangeRoot,
  type Subtree,
  verifyConsistency,
  verifyInclusion,
} from "./merkle.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const leaves = Array.from({ length: 1200 }, (_, i) => leafHash(sha256, bytes(`entry ${i}`)));

/** RFC 6962 §2.1 word for word. */
function naiveRoot(hashes: readonly Hash[]): Hash {
  if (hashes.length === 0) return sha256(new Uint8Array(0));
  if (hashes.length === 1) return hashes[0]!;
  let k = 1;
  while (k * 2 < hashes.length) k *= 2;
  return nodeHash(sha256, naiveRoot(hashes.slice(0, k)), naiveRoot(hashes.slice(k)));
}

const subtree: Subtree = (height, index) => naiveRoot(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height));
const sizes = fc.integer({ min: 1, max: leaves.length });

describe("the tree of RFC 6962", () => {
  test("known answers: the empty tree, and the roots of the reference tests", () => {
    expect(naiveRoot([]).toHex()).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    const entries = ["", "00", "10", "2021", "3031", "40414243"].map(hex => leafHash(sha256, Uint8Array.fromHex(hex)));
    const tree = new Frontier(sha256);
    for (const entry of entries) tree.append(entry);
    expect(tree.root().toHex()).toBe("76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef");
  });

  test("the growing edge and ranges agree with the definition at every size", () => {
    const tree = new Frontier(sha256);
    for (let size = 0; size <= 300; size++) {
      const expected = naiveRoot(leaves.slice(0, size)).toHex();
      expect(tree.root().toHex()).toBe(expected);
      expect(rangeRoot(sha256, subtree, 0, size).toHex()).toBe(expected);
      const copy = new Frontier(sha256);
      copy.restore(size, tree.roots());
      expect(copy.root().toHex()).toBe(expected);
      tree.append(leaves[size]!);
    }
  });

  test("subtrees of whole 256s are told once each, with their root", () => {
    const told: string[] = [];
    const tree = new Frontier(sha256);
    for (const leaf of leaves)
      tree.append(leaf, (height, index, hash) => told.push(`${height} ${index} ${hash.toHex()}`));
    expect(told).toEqual([0, 1, 2, 3].map(i => `8 ${i} ${subtree(8, i).toHex()}`));
  });

  test("inclusion proofs verify, and nothing else does", () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), (size, at, flip) => {
        const seq = at % size;
        const root = naiveRoot(leaves.slice(0, size));
        const claim = { seq, size, leafHash: leaves[seq]!, proof: inclusionProof(sha256, subtree, seq, size), root };
        expect(verifyInclusion(sha256, claim)).toBe(true);
        expect(verifyInclusion(sha256, { ...claim, leafHash: leaves[(seq + 1) % leaves.length]! })).toBe(false);
        expect(verifyInclusion(sha256, { ...claim, proof: [...claim.proof, root] })).toBe(false);
        if (claim.proof.length === 0) return;
        const broken = claim.proof.map(hash => hash.slice());
        broken[flip % broken.length]![flip % 32]! ^= 1;
        expect(verifyInclusion(sha256, { ...claim, proof: broken })).toBe(false);
        expect(verifyInclusion(sha256, { ...claim, proof: claim.proof.slice(1) })).toBe(false);
      }),
    );
  });

  test("consistency proofs verify, and nothing else does", () => {
    fc.assert(
      fc.property(sizes, sizes, fc.nat(), (a, b, flip) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const [fromRoot, toRoot] = [naiveRoot(leaves.slice(0, from)), naiveRoot(leaves.slice(0, to))];
        const claim = { from, to, fromRoot, toRoot, proof: consistencyProof(sha256, subtree, from, to) };
        expect(verifyConsistency(sha256, claim)).toBe(true);
        if (from === to) return;
        expect(verifyConsistency(sha256, { ...claim, fromRoot: leaves[0]!.map(byte => byte ^ 1) })).toBe(false);
        const broken = claim.proof.map(hash => hash.slice());
        broken[flip % broken.length]![flip % 32]! ^= 1;
        expect(verifyConsistency(sha256, { ...claim, proof: broken })).toBe(false);
      }),
    );
  });

  test("a proof of an entry the tree does not have is refused", () => {
    expect(() => inclusionProof(sha256, subtree, 5, 5)).toThrow(RangeError);
    expect(() => consistencyProof(sha256, subtree, 6, 5)).toThrow(RangeError);
    expect(verifyInclusion(sha256, { seq: 5, size: 5, leafHash: leaves[0]!, proof: [], root: leaves[0]! })).toBe(false);
  });
});
