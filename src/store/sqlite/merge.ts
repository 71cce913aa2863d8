import { compress } from "../zstd.ts";
import type { Bundle } from "./bundles.ts";
import { type Columns, emptyColumns, encodeColumns, isState } from "./columns.ts";
import type { LogTables } from "./log-tables.ts";
import { blockSize } from "./salts.ts";

const level = 9;
/** Small bundles of the block still being filled are merged in groups of so many. */
const groupSize = 64;

/**
 * One short step of merging: the bundles of a complete block of 1,024 become one; in the block still being filled, groups
 * of small ones do. Hashes, salts and leaves do not change. False when there is nothing to merge.
 */
export function mergeStep(tables: LogTables): boolean {
  const group = nextGroup(tables);
  if (!group) return false;
  tables.db.transact(() => merge(tables, group.first, group.end));
  return true;
}

/** The first block with bundles to merge, `[first, end)`. */
function nextGroup({ db, mergedTo }: LogTables): { first: number; end: number } | undefined {
  const size =
    db.query<{ size: number }>("SELECT first + n AS size FROM bundle ORDER BY first DESC LIMIT 1").get()?.size ?? 0;
  const open = size - (size % blockSize);
  const small = "SELECT first FROM bundle WHERE first >= ? AND first < ? AND n < ? ORDER BY first LIMIT ?";
  const [partial] = db.query<{ first: number }>(small).all(mergedTo.seq, open, blockSize, 1);
  mergedTo.seq = partial ? partial.first - (partial.first % blockSize) : open;
  if (partial) return { first: mergedTo.seq, end: mergedTo.seq + blockSize };
  const rows = db.query<{ first: number }>(small).all(open, size, groupSize, groupSize + 1);
  return rows.length > groupSize ? { first: rows[0]!.first, end: rows[groupSize]!.first } : undefined;
}

/** Inside a transaction. */
function merge(tables: LogTables, first: number, end: number): void {
  const { db, bundles } = tables;
  const parts = [...bundles.range(first, end)];
  const bodies = Buffer.concat(parts.map(part => bundles.bodies(part.first)));
  const hashes = Buffer.concat(parts.map(part => bundles.hashes(part.first)));
  const columns = join(parts);
  const live = columns.flags.reduce((sum, flags, i) => sum + (isState(flags) || columns.length[i] === 0 ? 0 : 1), 0);
  db.query("DELETE FROM bundle WHERE first >= ? AND first < ?").run(first, end);
  db.query("INSERT INTO bundle VALUES (?, ?, ?, ?, ?, ?, ?, ?)").run(
    first,
    columns.n,
    columns.ts[0]!,
    columns.ts[columns.n - 1]!,
    live,
    encodeColumns(columns, level),
    hashes,
    compress(bodies, level),
  );
  bundles.forget();
}

function join(parts: readonly Bundle[]): Columns {
  const joined = emptyColumns(parts.reduce((sum, part) => sum + part.n, 0));
  let at = 0;
  for (const { n, columns } of parts) {
    joined.ts.set(columns.ts, at);
    for (const name of ["kind", "agent", "facet", "length"] as const) joined[name].set(columns[name], at);
    joined.flags.set(columns.flags, at);
    at += n;
  }
  return joined;
}
