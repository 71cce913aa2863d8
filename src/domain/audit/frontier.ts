import { type Hash, nodeHash, type Sha256 } from "./merkle.ts";

/** What the next node at some height is hashed from: 0x01, left, right; and both halves by themselves. */
interface Node {
  bytes: Uint8Array;
  left: Uint8Array;
  right: Uint8Array;
}

function emptyNode(): Node {
  const bytes = new Uint8Array(65);
  bytes[0] = 1;
  return { bytes, left: bytes.subarray(1, 33), right: bytes.subarray(33) };
}

/**
 * The right edge of a growing tree: the roots of the perfect subtrees its size is made of, by height. Each hash is written to
 * where the next one is made of it: no copies, no allocation per leaf, since this runs once for every entry ever appended.
 */
export class Frontier {
  #sha256: Sha256;
  #size = 0;
  #nodes: Node[] = [];

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  get size(): number {
    return this.#size;
  }

  /** `whole` hears of every subtree this leaf completes whose height is a multiple of 8; its hash is only lent. */
  append(hash: Hash, whole?: (height: number, index: number, hash: Hash) => void): void {
    let index = this.#size++;
    let node = this.#at(0);
    const leaf = index % 2 === 1 ? node.right : node.left;
    // For so few bytes a loop takes half as long as `set`.
    for (let i = 0; i < 32; i++) leaf[i] = hash[i]!;
    for (let height = 1; index % 2 === 1; height++) {
      index = Math.floor(index / 2);
      const parent = this.#at(height);
      const root = index % 2 === 1 ? parent.right : parent.left;
      this.#sha256(node.bytes, root);
      if (whole && height % 8 === 0) whole(height, index, root);
      node = parent;
    }
  }

  #at(height: number): Node {
    return (this.#nodes[height] ??= emptyNode());
  }

  /** Puts back the subtree roots of a tree of `size`, lowest height first, as `roots()` gave them. */
  restore(size: number, roots: readonly Hash[]): void {
    this.#size = size;
    let next = 0;
    for (let height = 0, rest = size; rest > 0; height++, rest = Math.floor(rest / 2))
      if (rest % 2 === 1) this.#at(height).left.set(roots[next++]!);
  }

  /** The roots of the perfect subtrees, lowest height first. */
  roots(): Hash[] {
    const roots: Hash[] = [];
    for (let height = 0, rest = this.#size; rest > 0; height++, rest = Math.floor(rest / 2))
      if (rest % 2 === 1) roots.push(this.#at(height).left.slice());
    return roots;
  }

  root(): Hash {
    const [lowest, ...higher] = this.roots();
    if (!lowest) return this.#sha256(new Uint8Array(0));
    return higher.reduce((right, left) => nodeHash(this.#sha256, left, right), lowest);
  }
}
