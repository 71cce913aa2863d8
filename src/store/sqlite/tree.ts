import { type Hash, nodeHash } from "../../domain/audit/merkle.ts";
import { sha256 } from "../crypto.ts";
import type { Database } from "./database.ts";

/** The stored part of the Merkle tree: leaf hashes in the bundles, and the roots of 256^level leaves above them. */

/** Leaf hashes `[from, to)`, end to end. Throws when some are missing. */
export function leafHashes(db: Database, from: number, to: number): Uint8Array {
  const out = new Uint8Array((to - from) * 32);
  const sql =
    "SELECT first, n, hashes FROM bundle WHERE first < ?2 AND first >= (SELECT max(first) FROM bundle WHERE first <= ?1) ORDER BY first";
  let next = from;
  for (const row of db.query<{ first: number; n: number; hashes: Uint8Array }>(sql).all(from, to)) {
    const end = Math.min(to, row.first + row.n);
    if (row.first > next || end <= next) continue;
    out.set(row.hashes.subarray((next - row.first) * 32, (end - row.first) * 32), (next - from) * 32);
    next = end;
  }
  if (next < to) throw new Error(`leaf hash ${next} is missing`);
  return out;
}

/** The root of a perfect subtree (`Subtree` of the domain's proofs). Throws when it is not stored: a damaged file. */
export const storedSubtree =
  (db: Database) =>
  (height: number, index: number): Hash => {
    const level = Math.floor(height / 8);
    const width = 2 ** (height - level * 8);
    return fold(
      level === 0 ? leafHashes(db, index * width, (index + 1) * width) : nodes(db, level, index * width, width),
    );
  };

function nodes(db: Database, level: number, first: number, width: number): Uint8Array {
  const sql = "SELECT hash FROM node WHERE level = ? AND idx >= ? AND idx < ? ORDER BY idx";
  const rows = db.query<{ hash: Uint8Array }>(sql).all(level, first, first + width);
  if (rows.length !== width) throw new Error(`nodes of level ${level} are missing`);
  const out = new Uint8Array(width * 32);
  for (const [i, row] of rows.entries()) out.set(row.hash, i * 32);
  return out;
}

/** The root over 2^k hashes laid end to end. */
function fold(hashes: Uint8Array): Hash {
  let n = hashes.length / 32;
  for (; n > 1; n /= 2)
    for (let i = 0; i < n; i += 2) {
      const at = i * 32;
      hashes.set(nodeHash(sha256, hashes.subarray(at, at + 32), hashes.subarray(at + 32, at + 64)), at / 2);
    }
  return hashes.slice(0, 32);
}

/** The roots of the perfect subtrees a tree of `size` is made of, lowest height first (`Frontier.restore`). */
export function storedRoots(db: Database, size: number): Hash[] {
  const subtree = storedSubtree(db);
  const roots: Hash[] = [];
  let end = size;
  for (let height = 0, rest = size; rest > 0; height++, rest = Math.floor(rest / 2))
    if (rest % 2 === 1) {
      roots.push(subtree(height, end / 2 ** height - 1));
      end -= 2 ** height;
    }
  return roots;
}

export function storeNode(db: Database, height: number, index: number, hash: Hash): void {
  db.query("INSERT INTO node VALUES (?, ?, ?)").run(height / 8, index, hash);
}
