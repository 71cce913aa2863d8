import { type Hash, nodeHash, type Sha256 } from "./merkle.ts";

const levels = 54;

/**
 * The right edge of a growing tree: the roots of the perfect subtrees its size is made of, by height.
 * Flat buffers, no allocation per leaf: this runs once for every entry ever appended.
 */
export class Frontier {
  #sha256: Sha256;
  #size = 0;
  #roots = new Uint8Array(levels * 32);
  #node = new Uint8Array(65);
  #right = this.#node.subarray(33);

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
    this.#node[0] = 1;
  }

  get size(): number {
    return this.#size;
  }

  /** `whole` hears of every subtree this leaf completes whose height is a multiple of 8; its hash is only lent. */
  append(hash: Hash, whole?: (height: number, index: number, hash: Hash) => void): void {
    const right = this.#right;
    const node = this.#node;
    const roots = this.#roots;
    right.set(hash);
    let height = 0;
    let left = this.#size++;
    while (left % 2 === 1) {
      // A loop costs less than a view and a copy.
      for (let i = 0, from = height * 32; i < 32; i++) node[1 + i] = roots[from + i]!;
      this.#sha256(node, right);
      left = Math.floor(left / 2);
      height++;
      if (whole && height % 8 === 0) whole(height, left, right);
    }
    roots.set(right, height * 32);
  }

  /** Puts back the subtree roots of a tree of `size`, lowest height first, as `roots()` gave them. */
  restore(size: number, roots: readonly Hash[]): void {
    this.#size = size;
    let next = 0;
    for (let height = 0, rest = size; rest > 0; height++, rest = Math.floor(rest / 2))
      if (rest % 2 === 1) this.#roots.set(roots[next++]!, height * 32);
  }

  /** The roots of the perfect subtrees, lowest height first. */
  roots(): Hash[] {
    const roots: Hash[] = [];
    for (let height = 0, rest = this.#size; rest > 0; height++, rest = Math.floor(rest / 2))
      if (rest % 2 === 1) roots.push(this.#roots.slice(height * 32, height * 32 + 32));
    return roots;
  }

  root(): Hash {
    const [lowest, ...higher] = this.roots();
    if (!lowest) return this.#sha256(new Uint8Array(0));
    return higher.reduce((right, left) => nodeHash(this.#sha256, left, right), lowest);
  }
}
