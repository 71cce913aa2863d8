import { Frontier } from "../../domain/audit/frontier.ts";
import type { LogHead } from "../../domain/audit/leaf.ts";
import { sha256 } from "../crypto.ts";
import { diskTrouble } from "../disk-trouble.ts";
import type { Break, Verification, VerifyWindow } from "../log.ts";
import type { Bundle } from "./bundles.ts";
import { Checkpoints } from "./checkpoints.ts";
import { hashBefore } from "./entries.ts";
import type { LogTables } from "./log-tables.ts";
import { Rehasher } from "./rehasher.ts";
import { areRecentSound, checkRuns } from "./seen-check.ts";
import { storedRoots } from "./tree.ts";

const sliceDefault = 1_024;
/** What opening a bundle costs, in entries: many small ones make a slice too. */
const bundleCost = 32;

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
  /** The leaf hash computed last. */
  hash: Uint8Array;
  ts: number;
  proved: VerifyWindow["proved"];
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
    const run = start(tables, from, to, window.proved);
    checkSigned(run);
    for (let cost = 0; run.seq < to; ) {
      verifyBundle(run, nextBundle(run));
      cost += run.seq - seq + bundleCost;
      seq = run.seq;
      if (cost >= slice && seq < to) {
        yield seq;
        cost = 0;
      }
    }
    if (to === head.seq + 1) checkLength(run);
    if (window.tables ?? (from === 0 && to === head.seq + 1)) yield* checkTables(run);
  } catch (error) {
    if (diskTrouble(error) === "failing") throw error;
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

function start(tables: LogTables, from: number, to: number, proved: Run["proved"]): Run {
  const tree = new Frontier(sha256);
  tree.restore(from, storedRoots(tables.db, from));
  const checkpoints = tables.db
    .query<{ size: number; note: string }>("SELECT size, note FROM checkpoint WHERE size >= ? ORDER BY size")
    .all(from);
  const hash = hashBefore(tables, from);
  return { tables, seq: from, to, hash, ts: 0, proved, tree, checkpoints };
}

function nextBundle({ tables, seq }: Run): Bundle {
  let bundle: Bundle | undefined;
  try {
    bundle = tables.bundles.holding(seq);
  } catch (error) {
    throw unreadable(error, seq, "a readable bundle");
  }
  if (!bundle) throw new Broken(seq, "an entry", "a gap");
  return bundle;
}

function verifyBundle(run: Run, bundle: Bundle): void {
  const hashes = run.tables.bundles.hashes(bundle.first);
  if (hashes.length !== bundle.n * 32) throw new Broken(run.seq, `${bundle.n} leaf hashes`, "another number");
  try {
    verifyEntries(run, bundle, hashes);
  } catch (error) {
    throw error instanceof Broken ? error : unreadable(error, run.seq, "a readable entry");
  }
  if (!run.tables.bundles.isListed(bundle))
    throw new Broken(bundle.first, "a bundle listed as it is", "another listing");
}

function verifyEntries(run: Run, bundle: Bundle, hashes: Uint8Array): void {
  const { columns, first, n } = bundle;
  const { hash } = run;
  const rehasher = new Rehasher(run.tables, bundle);
  const whole = (height: number, index: number, root: Uint8Array) => checkNode(run, height, index, root);
  for (let i = run.seq - first; i < n && run.seq < run.to; i++) {
    rehasher.next(i, hash);
    if (!isAt(hashes, i * 32, hash)) throw new Broken(run.seq, hashes.slice(i * 32, i * 32 + 32).toHex(), hash.toHex());
    if (columns.ts[i]! < run.ts) throw new Broken(run.seq, `ts >= ${run.ts}`, String(columns.ts[i]));
    run.ts = columns.ts[i]!;
    run.tree.append(hash, whole);
    run.proved?.(rehasher.entry(i));
    run.seq++;
    if (run.checkpoints[0]?.size === run.seq) checkSigned(run);
  }
}

/** A disk that fails says nothing about the log. */
const unreadable = (error: unknown, seq: number, wanted: string): unknown =>
  diskTrouble(error) === "failing" ? error : new Broken(seq, wanted, "damaged storage");

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

/**
 * Every table of the file is sound in itself. The two that grow with the log are walked in slices, one by the caller, bundle
 * for bundle; the others are small.
 */
function* checkTables(run: Run): Generator<number> {
  const { db } = run.tables;
  const tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name";
  for (const { name } of db.query<{ name: string }>(tables).all()) {
    yield run.seq;
    if (walked.has(name)) continue;
    const sql = `PRAGMA integrity_check('${name}')`;
    const problem = db.query<{ integrity_check: string }>(sql).get()?.integrity_check;
    if (problem !== "ok") throw new Broken(run.seq, `a sound table ${name}`, "damaged storage");
  }
  if (!areRecentSound(db)) throw new Broken(run.seq, "a sound table seen_recent", "damaged storage");
  for (const isSound of checkRuns(db)) {
    if (!isSound) throw new Broken(run.seq, "a sound table seen_run", "damaged storage");
    yield run.seq;
  }
}

const walked = new Set(["bundle", "seen_run"]);

function isAt(bytes: Uint8Array, at: number, hash: Uint8Array): boolean {
  for (let i = 0; i < 32; i++) if (bytes[at + i] !== hash[i]) return false;
  return true;
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && isAt(a, 0, b);
}
