import { compress } from "../zstd.ts";
import { type Bundle, liveOf } from "./bundles.ts";
import { type Columns, emptyColumns, encodeColumns } from "./columns.ts";
import type { LogTables } from "./log-tables.ts";
import { marksOf } from "./marks.ts";
import { blockSize } from "./salts.ts";

const level = 5;
/** Small bundles of the block still being filled are merged in groups of so many. */
const groupSize = 64;
/** Bodies of one merged bundle, unpacked: a step must stay short, and reading one entry unpacks all of them. */
const bytesMax = 1024 * 1024;

/**
 * One short step of merging: neighbouring bundles of a complete block of 1,024 become one, up to a size; in the block still
 * being filled, groups of small ones do. Hashes, salts and leaves do not change. False when there is nothing to merge.
 */
export function mergeStep(tables: LogTables): boolean {
  const group = nextGroup(tables);
  if (!group) return false;
  tables.db.transact(() => merge(tables, group.first, group.end));
  return true;
}

interface Group {
  first: number;
  end: number;
}

function nextGroup(tables: LogTables): Group | undefined {
  const { db, mergedTo } = tables;
  const size = tables.bundles.size();
  const open = size - (size % blockSize);
  const small = "SELECT first FROM bundle WHERE first >= ? AND first < ? AND n < ? ORDER BY first LIMIT 1";
  for (;;) {
    const partial = db.query<{ first: number }>(small).get(mergedTo.seq, open, blockSize);
    if (!partial) break;
    mergedTo.seq = partial.first - (partial.first % blockSize);
    const group = runs(tables, mergedTo.seq, mergedTo.seq + blockSize, 2, blockSize)[0];
    if (group) return group;
    mergedTo.seq += blockSize;
  }
  mergedTo.seq = open;
  return runs(tables, open, size, groupSize + 1, groupSize)[0];
}

/** Neighbours that fit into one bundle: `count` of them at least, each with fewer than `n_max` entries. */
function runs({ bundles }: LogTables, from: number, to: number, count: number, n_max: number): Group[] {
  const found: (Group & { count: number; bytes: number })[] = [];
  for (const { first, n, columns } of bundles.range(from, to)) {
    const bytes = columns.length.reduce((sum, length) => sum + length, 0);
    const last = found.at(-1);
    const joins =
      last && last.end === first && n < n_max && last.bytes + bytes <= bytesMax && last.count < groupMax(n_max);
    if (joins) Object.assign(last, { end: first + n, count: last.count + 1, bytes: last.bytes + bytes });
    else if (n < n_max) found.push({ first, end: first + n, count: 1, bytes });
  }
  return found.filter(group => group.count >= count);
}

const groupMax = (n_max: number): number => (n_max === groupSize ? groupSize + 1 : blockSize);

/** Inside a transaction. */
function merge(tables: LogTables, first: number, end: number): void {
  const { db, bundles } = tables;
  const parts = [...bundles.range(first, end)];
  const bodies = Buffer.concat(parts.map(part => bundles.bodies(part.first)));
  const hashes = Buffer.concat(parts.map(part => bundles.hashes(part.first)));
  const columns = join(parts);
  db.query("DELETE FROM bundle WHERE first >= ? AND first < ?").run(first, end);
  db.query("INSERT INTO bundle VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
    first,
    columns.n,
    columns.ts[0]!,
    columns.ts[columns.n - 1]!,
    liveOf(columns),
    marksOf(columns),
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
