/**
 * The Merkle tree of RFC 6962 §2.1 (hashes, inclusion and consistency proofs; verification as in RFC 9162 §2.1.3.2 and
 * §2.1.4.2). The hash function is injected, so the same code runs in both runtimes and in a browser.
 */
export type Hash = Uint8Array;
/** SHA-256; writes into `into` when given. */
export type Sha256 = (bytes: Uint8Array, into?: Uint8Array) => Uint8Array;

/** Where proofs find their hashes: the root of the perfect subtree over leaves `[index·2^height, (index+1)·2^height)`. */
export type Subtree = (height: number, index: number) => Hash;

/** SHA-256(0x00 ‖ leaf) */
export function leafHash(sha256: Sha256, leaf: Uint8Array): Hash {
  const bytes = new Uint8Array(leaf.length + 1);
  bytes.set(leaf, 1);
  return sha256(bytes);
}

/** SHA-256(0x01 ‖ left ‖ right) */
export function nodeHash(sha256: Sha256, left: Hash, right: Hash): Hash {
  const bytes = new Uint8Array(65);
  bytes[0] = 1;
  bytes.set(left, 1);
  bytes.set(right, 33);
  return sha256(bytes);
}

/** The largest power of two smaller than `n` (n > 1). Sizes go beyond 32 bits, so no shifts. */
function split(n: number): number {
  let k = 2 ** Math.floor(Math.log2(n));
  while (k >= n) k /= 2;
  while (k * 2 < n) k *= 2;
  return k;
}

const heightOf = (k: number) => Math.round(Math.log2(k));
const isPowerOfTwo = (n: number) => 2 ** heightOf(n) === n;

/** MTH(D[from:to]) of RFC 6962 §2.1; `from` must be aligned as the tree's own recursion aligns it. */
export function rangeRoot(sha256: Sha256, subtree: Subtree, from: number, to: number): Hash {
  const n = to - from;
  if (n === 0) return sha256(new Uint8Array(0));
  if (isPowerOfTwo(n)) return subtree(heightOf(n), from / n);
  const middle = from + split(n);
  return nodeHash(sha256, rangeRoot(sha256, subtree, from, middle), rangeRoot(sha256, subtree, middle, to));
}

/** PATH(seq, D[size]): lowest level first. */
export function inclusionProof(sha256: Sha256, subtree: Subtree, seq: number, size: number): Hash[] {
  if (!(seq >= 0 && seq < size)) throw new RangeError("no such entry in a tree of that size");
  const path: Hash[] = [];
  let from = 0;
  let to = size;
  while (to - from > 1) {
    const middle = from + split(to - from);
    const left = seq < middle;
    path.push(left ? rangeRoot(sha256, subtree, middle, to) : rangeRoot(sha256, subtree, from, middle));
    if (left) to = middle;
    else from = middle;
  }
  return path.reverse();
}

/** PROOF(from, D[to]): lowest level first; empty when the sizes are equal or `from` is 0. */
export function consistencyProof(sha256: Sha256, subtree: Subtree, from: number, to: number): Hash[] {
  if (!(from >= 0 && from <= to)) throw new RangeError("the earlier tree is not the smaller one");
  if (from === 0 || from === to) return [];
  const path: Hash[] = [];
  let [start, end, whole] = [0, to, true];
  while (from !== end) {
    const middle = start + split(end - start);
    const left = from <= middle;
    path.push(left ? rangeRoot(sha256, subtree, middle, end) : rangeRoot(sha256, subtree, start, middle));
    if (left) end = middle;
    else [start, whole] = [middle, false];
  }
  if (!whole) path.push(rangeRoot(sha256, subtree, start, end));
  return path.reverse();
}

const same = (a: Hash, b: Hash) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** RFC 9162 §2.1.3.2 */
export function verifyInclusion(
  sha256: Sha256,
  claim: { seq: number; size: number; leafHash: Hash; proof: Hash[]; root: Hash },
): boolean {
  let [fn, sn] = [claim.seq, claim.size - 1];
  if (!(fn >= 0 && fn <= sn)) return false;
  let hash = claim.leafHash;
  for (const sibling of claim.proof) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      hash = nodeHash(sha256, sibling, hash);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else hash = nodeHash(sha256, hash, sibling);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 && same(hash, claim.root);
}

/** RFC 9162 §2.1.4.2: the tree of `to` entries only appends to that of `from`. */
export function verifyConsistency(
  sha256: Sha256,
  claim: { from: number; to: number; fromRoot: Hash; toRoot: Hash; proof: Hash[] },
): boolean {
  const { from, to, fromRoot, toRoot } = claim;
  if (from > to) return false;
  if (from === to) return claim.proof.length === 0 && same(fromRoot, toRoot);
  if (from === 0) return claim.proof.length === 0;
  const path = isPowerOfTwo(from) ? [fromRoot, ...claim.proof] : claim.proof;
  if (path.length === 0) return false;
  let [fn, sn] = [from - 1, to - 1];
  while (fn % 2 === 1) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  let [earlier, later] = [path[0]!, path[0]!];
  for (const sibling of path.slice(1)) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      earlier = nodeHash(sha256, sibling, earlier);
      later = nodeHash(sha256, sibling, later);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else later = nodeHash(sha256, later, sibling);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 && same(earlier, fromRoot) && same(later, toRoot);
}
