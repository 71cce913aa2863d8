import { LRUCache } from "lru-cache";
import { decompress } from "../zstd.ts";
import { type Columns, decodeColumns, isState } from "./columns.ts";
import type { Database } from "./database.ts";
import { marksOf, mayHold, type Wanted } from "./marks.ts";

/** A stored bundle whose columns are unpacked; hashes and bodies come when asked for. */
export interface Bundle {
  first: number;
  n: number;
  columns: Columns;
}

interface Head {
  first: number;
  n: number;
  ts0: number;
  cols: Uint8Array;
}

interface Listed {
  ts1: number;
  live: number;
  marks: Uint8Array;
}

const searchRows = 64;
const columnBytesMax = 8 << 20;
const bodyBytesMax = 4 << 20;

/** Reading bundles, with the recent ones kept unpacked. */
export class Bundles {
  #db: Database;
  #columns = new LRUCache<number, Bundle>({ maxSize: columnBytesMax, sizeCalculation: b => 64 + b.n * 32 });
  #bodies = new LRUCache<number, Uint8Array>({ maxSize: bodyBytesMax, sizeCalculation: b => 64 + b.length });

  constructor(db: Database) {
    this.#db = db;
  }

  /** The bundle that holds `seq`. */
  holding(seq: number): Bundle | undefined {
    const bundle = this.#one(
      "SELECT first, n, ts0, cols FROM bundle WHERE first <= ? ORDER BY first DESC LIMIT 1",
      seq,
    );
    return bundle && seq < bundle.first + bundle.n ? bundle : undefined;
  }

  /** Entries stored. */
  size(): number {
    const sql = "SELECT first + n AS size FROM bundle ORDER BY first DESC LIMIT 1";
    return this.#db.query<{ size: number }>(sql).get()?.size ?? 0;
  }

  last(): Bundle | undefined {
    return this.#one("SELECT first, n, ts0, cols FROM bundle ORDER BY first DESC LIMIT 1");
  }

  /** The first bundle at or after `first`. */
  from(first: number): Bundle | undefined {
    return this.#one("SELECT first, n, ts0, cols FROM bundle WHERE first >= ? ORDER BY first LIMIT 1", first);
  }

  /**
   * Bundles that hold something of `[from, to)`, ascending. Where they are merged meanwhile, the next one may begin before the
   * last one ended: whoever rests between two of them looks where it stopped.
   */
  *range(from: number, to: number): Generator<Bundle> {
    for (let seq = from; seq < to; ) {
      const bundle = this.holding(seq) ?? this.from(seq);
      if (!bundle || bundle.first >= to) return;
      yield bundle;
      seq = bundle.first + bundle.n;
    }
  }

  /** `range`, without the bundles whose marks say that nothing wanted is in them. */
  *search(from: number, to: number, order: "asc" | "desc", wanted: Wanted): Generator<Bundle> {
    const start = this.#firstHolding(from);
    const page = `SELECT first, marks FROM bundle WHERE first >= ? AND first < ? ORDER BY first ${order} LIMIT ${searchRows}`;
    for (let [low, high] = [start, to]; low < high; ) {
      const rows = this.#db.query<{ first: number; marks: Uint8Array }>(page).all(low, high);
      for (const { first, marks } of rows) if (mayHold(marks, wanted)) yield this.from(first)!;
      if (rows.length < searchRows) return;
      if (order === "asc") low = rows.at(-1)!.first + 1;
      else high = rows.at(-1)!.first;
    }
  }

  #firstHolding(seq: number): number {
    const sql = "SELECT max(first) AS first FROM bundle WHERE first <= ?";
    return this.#db.query<{ first: number | null }>(sql).get(seq)?.first ?? seq;
  }

  hashes(first: number): Uint8Array {
    return this.#db.query<{ hashes: Uint8Array }>("SELECT hashes FROM bundle WHERE first = ?").get(first)!.hashes;
  }

  /** All bodies of a bundle (digests where erased), end to end. */
  bodies(first: number): Uint8Array {
    let bytes = this.#bodies.get(first);
    if (!bytes) {
      bytes = this.unpack(first);
      this.#bodies.set(first, bytes);
    }
    return bytes;
  }

  /** `bodies`, not kept: for whoever reads everything once. */
  unpack(first: number): Uint8Array {
    const sql = "SELECT body FROM bundle WHERE first = ?";
    return decompress(this.#db.query<{ body: Uint8Array }>(sql).get(first)!.body);
  }

  /** Is what stands beside the blobs (for searches, statistics, retention) what the columns say, and in the index? */
  isListed({ first, n, columns }: Bundle): boolean {
    const sql = "SELECT ts1, live, marks FROM bundle INDEXED BY bundle_ts WHERE ts0 = ? AND first = ?";
    const row = this.#db.query<Listed>(sql).get(columns.ts[0]!, first);
    if (row?.ts1 !== columns.ts[n - 1] || row?.live !== liveOf(columns)) return false;
    return Buffer.compare(row.marks, marksOf(columns)) === 0;
  }

  /** After a rollback, a merge, an erasure. */
  forget(): void {
    this.#columns.clear();
    this.#bodies.clear();
  }

  #one(sql: string, ...values: number[]): Bundle | undefined {
    const row = this.#db.query<Head>(sql).get(...values);
    if (!row) return undefined;
    let bundle = this.#columns.get(row.first);
    if (bundle?.n !== row.n) {
      bundle = { first: row.first, n: row.n, columns: decodeColumns(row.cols, row.n, row.ts0) };
      this.#columns.set(row.first, bundle);
    }
    return bundle;
  }
}

/** What stands for a body in the blob: itself, or the 32 bytes of its digest once erased. */
export const storedLength = (length: number): number => length || 32;

/** Where each body begins; one more than there are bodies. */
export function bodyOffsets(columns: Columns): Uint32Array {
  const offsets = new Uint32Array(columns.n + 1);
  for (let i = 0; i < columns.n; i++) offsets[i + 1] = offsets[i]! + storedLength(columns.length[i]!);
  return offsets;
}

/** Telemetry bodies not erased yet. */
export function liveOf({ n, flags, length }: Columns): number {
  let live = 0;
  for (let i = 0; i < n; i++) if (!isState(flags[i]!) && length[i] !== 0) live++;
  return live;
}
