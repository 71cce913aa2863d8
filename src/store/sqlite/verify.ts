import { Frontier } from "../../domain/audit/frontier.ts";
import type { LogHead } from "../../domain/audit/leaf.ts";
import { sha256 } from "../crypto.ts";
import type { Break, Verification, VerifyWindow } from "../log.ts";
import type { Bundle } from "./bundles.ts";
import { Checkpoints } from "./checkpoints.ts";
import { BundleReader, hashBefore } from "./entries.ts";
import type { LogTables } from "./log-tables.ts";
import { areRunsSorted } from "./seen.ts";
import { storedRoots } from "./tree.ts";

const sliceDefault = 2_048;

/** Thrown inside to leave at the first break; never leaves this file. */
class Broken extends Error {
  readonly at: Break;
  constructor(seq: number, expected: string, found: string) {
    super("broken");
    this.at = { seq, expected, found };
  }
}

interface Run {
  tables: LogTables;
  seq: number;
  to: number;
  prev: Uint8Array;
  ts: number;
  tree: Frontier;
  /** Signed sizes still ahead, smallest first. */
  checkpoints: { size: number; note: string }[];
}

/**
 * Recomputes `[from, to)` from columns, bodies and salts: each leaf hash against the stored one (which is also the next
 * leaf's `prev`), the nodes of the tree, and the root at every signed size; for the whole log also the soundness of every
 * table. Whatever cannot be read is a break.
 */
export function* verifyLog(tables: LogTables, head: LogHead, window: VerifyWindow): Generator<number, Verification> {
  const from = Math.max(0, window.from ?? 0);
  const to = Math.min(head.seq + 1, window.to ?? head.seq + 1);
  const slice = Math.max(1, window.slice ?? sliceDefault);
  let seq = from;
  let first_break: Break | undefined;
  try {
    const run = start(tables, from, to);
    checkSigned(run);
    for (let next = from + slice; run.seq < to; ) {
      verifyBundle(run, nextBundle(run));
      seq = run.seq;
      if (seq >= next && seq < to) {
        yield seq;
        next = seq + slice;
      }
    }
    if (to === head.seq + 1) checkLength(run);
    if (to === head.seq + 1 && from === 0) yield* checkTables(run);
  } catch (error) {
    first_break = error instanceof Broken ? error.at : { seq, expected: "a readable log", found: "damaged storage" };
    seq = Math.max(from, Math.min(seq, first_break.seq));
  }
  return {
    valid: !first_break,
    from,
    to,
    count: Math.max(0, seq - from),
    head,
    ...(first_break ? { first_break } : {}),
  };
}

function start(tables: LogTables, from: number, to: number): Run {
  const tree = new Frontier(sha256);
  tree.restore(from, storedRoots(tables.db, from));
  const checkpoints = tables.db
    .query<{ size: number; note: string }>("SELECT size, note FROM checkpoint WHERE size >= ? ORDER BY size")
    .all(from);
  const prev = hashBefore(tables, from);
  return { tables, seq: from, to, prev, ts: 0, tree, checkpoints };
}

function nextBundle({ tables, seq }: Run): Bundle {
  let bundle: Bundle | undefined;
  try {
    bundle = tables.bundles.holding(seq);
  } catch {
    throw new Broken(seq, "a readable bundle", "damaged storage");
  }
  if (!bundle) throw new Broken(seq, "an entry", "a gap");
  return bundle;
}

function verifyBundle(run: Run, bundle: Bundle): void {
  const { tables } = run;
  const reader = new BundleReader(tables, bundle);
  const hashes = tables.bundles.hashes(bundle.first);
  if (hashes.length !== bundle.n * 32) throw new Broken(run.seq, `${bundle.n} leaf hashes`, "another number");
  const found = new Uint8Array(32);
  const whole = (height: number, index: number, root: Uint8Array) => checkNode(run, height, index, root);
  for (let i = run.seq - bundle.first; i < bundle.n && run.seq < run.to; i++) {
    const expected = hashes.subarray(i * 32, i * 32 + 32);
    rehash(run, reader, i, found);
    if (!equal(expected, found)) throw new Broken(run.seq, expected.toHex(), found.toHex());
    if (reader.columns.ts[i]! < run.ts) throw new Broken(run.seq, `ts >= ${run.ts}`, String(reader.columns.ts[i]));
    run.ts = reader.columns.ts[i]!;
    run.tree.append(expected, whole);
    run.prev = expected;
    run.seq++;
    checkSigned(run);
  }
}

function rehash(run: Run, reader: BundleReader, i: number, into: Uint8Array): void {
  try {
    reader.rehash(i, run.prev, into);
  } catch {
    throw new Broken(run.seq, "a readable entry", "damaged storage");
  }
}

function checkNode(run: Run, height: number, index: number, root: Uint8Array): void {
  const sql = "SELECT hash FROM node WHERE level = ? AND idx = ?";
  const stored = run.tables.db.query<{ hash: Uint8Array }>(sql).get(height / 8, index)?.hash;
  if (!stored || !equal(stored, root)) throw new Broken(run.seq, root.toHex(), stored?.toHex() ?? "no tree node");
}

/** At a signed size: the signature holds and the root is the one signed. */
function checkSigned(run: Run): void {
  while (run.checkpoints[0]?.size === run.seq) {
    const { note } = run.checkpoints.shift()!;
    const root = run.tree.root().toHex();
    const signed = run.tables.checkpoints.open(note);
    if (!signed) throw new Broken(run.seq, "a checkpoint signed by this log", "another note");
    if (signed.size !== run.seq || signed.root.toHex() !== root) throw new Broken(run.seq, signed.root.toHex(), root);
  }
}

/** The log is as long as the newest signed size. */
function checkLength(run: Run): void {
  const ahead = run.checkpoints[0];
  if (ahead) throw new Broken(run.seq, `${Checkpoints.claimedSize(ahead.note) ?? ahead.size} entries`, `${run.seq}`);
}

/** Every table of the file is sound in itself; ids seen, which no hash covers, are in their order. */
function* checkTables(run: Run): Generator<number> {
  const { db } = run.tables;
  const tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name";
  for (const { name } of db.query<{ name: string }>(tables).all()) {
    yield run.seq;
    const sql = `PRAGMA integrity_check('${name}')`;
    const problem = db.query<{ integrity_check: string }>(sql).get()?.integrity_check;
    if (problem !== "ok") throw new Broken(run.seq, `a sound table ${name}`, "damaged storage");
  }
  yield run.seq;
  if (!areRunsSorted(db)) throw new Broken(run.seq, "a sound table seen_run", "damaged storage");
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < 32; i++) if (a[i] !== b[i]) return false;
  return a.length === b.length;
}
