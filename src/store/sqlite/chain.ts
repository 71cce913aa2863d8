import { Frontier } from "../../domain/audit/frontier.ts";
import { emptyHead, type LogHead } from "../../domain/audit/leaf.ts";
import { sha256 } from "../crypto.ts";
import { diskTrouble } from "../disk-trouble.ts";
import { compress } from "../zstd.ts";
import { type Bundles, liveOf } from "./bundles.ts";
import { type Columns, encodeColumns } from "./columns.ts";
import type { Database } from "./database.ts";
import type { LeafWriter } from "./leaf-writer.ts";
import { marksOf } from "./marks.ts";
import type { Pending } from "./pending.ts";
import { blockSize, type Salts, saltSize } from "./salts.ts";
import { storedRoots, storeNode } from "./tree.ts";

const level = 1;

/** The growing end of the log: links pending entries to the chain and the tree, and stores them as bundles. */
export class Chain {
  size = 0;
  /** Received, of the last entry. */
  ts = 0;
  tree = new Frontier(sha256);
  #prev: Uint8Array = new Uint8Array(32);
  #db: Database;
  #bundles: Bundles;
  #salts: Salts;
  #leaves: LeafWriter;

  constructor(db: Database, bundles: Bundles, salts: Salts, leaves: LeafWriter) {
    this.#db = db;
    this.#bundles = bundles;
    this.#salts = salts;
    this.#leaves = leaves;
  }

  head(): LogHead {
    return this.size === 0 ? emptyHead : { seq: this.size - 1, hash: this.#prev.toHex() };
  }

  /** Reads where the stored log ends. Returns what is wrong when its end is damaged; throws when the disk fails. */
  load(): string | undefined {
    try {
      this.size = this.#bundles.size();
      const last = this.#bundles.last();
      this.ts = last?.columns.ts[last.n - 1] ?? 0;
      this.#prev = last ? this.#bundles.hashes(last.first).slice(-32) : new Uint8Array(32);
      this.tree.restore(this.size, storedRoots(this.#db, this.size));
      return undefined;
    } catch (error) {
      if (diskTrouble(error) === "failing") throw error;
      return `the end of the log is damaged: ${String(error)}`;
    }
  }

  /** Stores what is pending, cut at every border of 1,024. Inside a transaction. */
  seal(pending: Pending, ts: number): void {
    for (let from = 0; from < pending.n; ) {
      const to = Math.min(pending.n, from + blockSize - (this.size % blockSize));
      const columns = pending.columns(from, to, ts);
      const first = this.size;
      this.#store(first, columns, this.#link(pending, from, columns), pending.pack(from, to));
      from = to;
    }
    this.ts = Math.max(this.ts, ts);
  }

  /** Digest, leaf, leaf hash and tree of each entry; returns the leaf hashes. */
  #link(pending: Pending, from: number, columns: Columns): Uint8Array {
    const salts = this.#salts.ofBlock(Math.floor(this.size / blockSize), true);
    const hashes = new Uint8Array(columns.n * 32);
    const hash = this.#prev.slice();
    const bytes = new Uint8Array(pending.bytes.buffer, pending.bytes.byteOffset, pending.bytes.length);
    const whole = (height: number, index: number, root: Uint8Array) => storeNode(this.#db, height, index, root);
    for (let i = 0; i < columns.n; i++) {
      const at = pending.offsets[from + i]! - saltSize;
      const slot = (this.size % blockSize) * saltSize;
      for (let byte = 0; byte < saltSize; byte++) bytes[at + byte] = salts[slot + byte]!;
      const salted = bytes.subarray(at, at + saltSize + columns.length[i]!);
      this.#leaves.hash(columns, i, this.size, salted, hash, hash);
      for (let byte = 0; byte < 32; byte++) hashes[i * 32 + byte] = hash[byte]!;
      this.tree.append(hash, whole);
      this.size++;
    }
    this.#prev = hash;
    return hashes;
  }

  #store(first: number, columns: Columns, hashes: Uint8Array, bodies: Uint8Array): void {
    const { n, ts } = columns;
    this.#db
      .query("INSERT INTO bundle VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(
        first,
        n,
        ts[0]!,
        ts[n - 1]!,
        liveOf(columns),
        marksOf(columns),
        encodeColumns(columns),
        hashes,
        compress(bodies, level),
      );
  }
}
