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
/** Bundles one step opens: each costs about 20 µs. */
const partsMax = 256;

const inBlock: Wanted = { least: 2, most: partsMax, below: blockSize };
const inOpenBlock: Wanted = { least: groupSize + 1, most: groupSize + 1, below: groupSize };

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
    const group = firstRun(tables, mergedTo.seq, mergedTo.seq + blockSize, inBlock);
    if (group) return group;
    mergedTo.seq += blockSize;
  }
  mergedTo.seq = open;
  return firstRun(tables, open, size, inOpenBlock);
}

interface Wanted {
  /** Bundles, at least and at most. */
  least: number;
  most: number;
  /** Each with fewer entries. */
  below: number;
}

/** The first neighbours that fit into one bundle. */
function firstRun({ bundles }: LogTables, from: number, to: number, { least, most, below }: Wanted): Group | undefined {
  let run: (Group & { count: number; bytes: number }) | undefined;
  for (const { first, n, columns } of bundles.range(from, to)) {
    const bytes = columns.length.reduce((sum, length) => sum + length, 0);
    const joins = run && run.end === first && n < below && run.bytes + bytes <= bytesMax && run.count < most;
    if (run && joins) Object.assign(run, { end: first + n, count: run.count + 1, bytes: run.bytes + bytes });
    else if (run && run.count >= least) return run;
    else run = n < below ? { first, end: first + n, count: 1, bytes } : undefined;
  }
  return run && run.count >= least ? run : undefined;
}

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
