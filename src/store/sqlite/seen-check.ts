import type { Database } from "./database.ts";
import { decode } from "./seen-recent.ts";
import { idBytes } from "./uuid-bytes.ts";

/** Bytes of ids between two yields. */
const sliceBytes = 64 << 10;

interface Run {
  rowid: number;
  agent: number;
  first: Uint8Array;
  ids: Uint8Array;
}

/** Are all runs what `Seen.flush` wrote: whole ids, ascending, beginning with their key, and found by it? In slices. */
export function* checkRuns(db: Database): Generator<boolean> {
  const sql = "SELECT rowid, agent, first, ids FROM seen_run WHERE rowid > ? ORDER BY rowid LIMIT 1";
  let bytes = 0;
  for (let row = db.query<Run>(sql).get(-1); row; row = db.query<Run>(sql).get(row.rowid)) {
    if (!isSorted(row) || !isFound(db, row)) return yield false;
    if ((bytes += row.ids.length) < sliceBytes) continue;
    bytes = 0;
    yield true;
  }
}

/** Is every row of recent ids what `SeenRecent` wrote: whole, and each agent's ascending from row to row? */
export function areRecentSound(db: Database): boolean {
  const last = new Map<number, string>();
  const isNext = ([agent, ids]: [number, string[]]) =>
    ids.length > 0 &&
    ids.every(id => {
      const isAbove = id > (last.get(agent) ?? "");
      last.set(agent, id);
      return isAbove;
    });
  try {
    const rows = db.query<{ ids: Uint8Array }>("SELECT ids FROM seen_recent ORDER BY rowid").all();
    return rows.every(({ ids }) => [...decode(ids)].every(isNext));
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function isFound(db: Database, { rowid, agent, first }: Run): boolean {
  const sql = "SELECT rowid FROM seen_run WHERE agent = ? AND first = ?";
  return db.query<{ rowid: number }>(sql).get(agent, first)?.rowid === rowid;
}

function isSorted({ first, ids }: Run): boolean {
  if (ids.length === 0 || ids.length % idBytes !== 0 || first.length !== idBytes) return false;
  for (let i = 0; i < idBytes; i++) if (ids[i] !== first[i]) return false;
  for (let at = idBytes; at < ids.length; at += idBytes) if (!isAbove(ids, at)) return false;
  return true;
}

/** Is the id at `at` greater than the one before it? */
function isAbove(ids: Uint8Array, at: number): boolean {
  for (let i = at; i < at + idBytes; i++) if (ids[i] !== ids[i - idBytes]) return ids[i]! > ids[i - idBytes]!;
  return false;
}
