import { sha256 } from "../crypto.ts";
import { compress } from "../zstd.ts";
import { type Bundle, liveOf } from "./bundles.ts";
import { encodeColumns, isState } from "./columns.ts";
import type { Database } from "./database.ts";
import { BundleReader } from "./entries.ts";
import type { LogTables } from "./log-tables.ts";
import { blockSize } from "./salts.ts";

const level = 3;

/** The first bundle at or after `first` that holds telemetry bodies received before `before_ms`. */
export function nextErasable(db: Database, first: number, before_ms: number): number | undefined {
  const sql = "SELECT first FROM bundle WHERE first >= ? AND live > 0 AND ts0 < ? ORDER BY first LIMIT 1";
  return db.query<{ first: number }>(sql).get(first, before_ms)?.first;
}

/** Erases what retention says in one bundle; returns how many bodies. Inside a transaction. */
export function eraseTelemetry(tables: LogTables, first: number, before_ms: number): number {
  const bundle = tables.bundles.from(first)!;
  const { columns } = bundle;
  return erase(tables, bundle, i => !isState(columns.flags[i]!) && columns.ts[i]! < before_ms);
}

/** Inside a transaction. */
export function eraseOne(tables: LogTables, seq: number): boolean {
  const bundle = tables.bundles.holding(seq);
  return bundle !== undefined && erase(tables, bundle, i => bundle.first + i === seq) > 0;
}

/** Puts digests in the place of bodies and forgets their salts: the leaves stay as they are. */
function erase(tables: LogTables, bundle: Bundle, which: (i: number) => boolean): number {
  const reader = new BundleReader(tables, bundle);
  const { columns } = bundle;
  const left: Uint8Array[] = [];
  const gone: number[] = [];
  for (let i = 0; i < bundle.n; i++) {
    if (reader.erased(i) || !which(i)) left.push(reader.stored(i));
    else {
      left.push(sha256(reader.salted(i)));
      gone.push(i);
    }
  }
  if (gone.length === 0) return 0;
  const length = columns.length.slice();
  for (const i of gone) length[i] = 0;
  const changed = { ...columns, length };
  tables.db
    .query("UPDATE bundle SET live = ?, cols = ?, body = ? WHERE first = ?")
    .run(liveOf(changed), encodeColumns(changed), compress(Buffer.concat(left), level), bundle.first);
  const slots = gone.map(i => (bundle.first + i) % blockSize);
  tables.salts.erase(Math.floor(bundle.first / blockSize), slots);
  tables.bundles.forget();
  return gone.length;
}
