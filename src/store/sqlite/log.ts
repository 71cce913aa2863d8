import { agentPattern, kindPattern, type LogHead } from "../../domain/audit/leaf.ts";
import { consistencyProof, inclusionProof, rangeRoot } from "../../domain/audit/merkle.ts";
import { refusal } from "../../errors.ts";
import { sha256 } from "../crypto.ts";
import { diskTrouble } from "../disk-trouble.ts";
import type * as port from "../log.ts";
import type { Change } from "../projection.ts";
import { Chain } from "./chain.ts";
import { Checkpoints } from "./checkpoints.ts";
import { type Columns, flagsOf } from "./columns.ts";
import { BundleReader, readEntries, readLeaf, readLeaves } from "./entries.ts";
import { eraseOne, eraseTelemetry, nextErasable } from "./erase.ts";
import { internFacets } from "./facets.ts";
import { forgetAll, forgetStored, type LogTables } from "./log-tables.ts";
import { mergeStep } from "./merge.ts";
import { readPage, searchAll, seqAt } from "./page.ts";
import { Pending } from "./pending.ts";
import { redactPending } from "./redaction.ts";
import type { SeenMark } from "./seen.ts";
import { leafHashes, storedSubtree } from "./tree.ts";
import { verifyLog } from "./verify.ts";

const seenReach = { days: 7, ids: 10_000_000 };

/** What follows the log inside its transactions: `changed` at each state entry, `sealed` at each commit. */
export interface LogFollowers {
  changed(change: Change): void;
  sealed(columns: Columns): void;
}

/** Where a command of a commit began. */
export interface LogMark {
  n: number;
  seen: SeenMark;
}

/** The log in its organisation's SQLite file. `OrgStore` opens and seals its commits. */
export class SqliteLog implements port.Log {
  #tables: LogTables;
  #chain: Chain;
  #pending = new Pending();
  #followers: LogFollowers;
  /** Receipt time of the open commit; 0 outside. */
  #now = 0;

  /** Why nothing may be written or signed any more; at first, why the end of the log cannot be trusted, if it cannot. */
  frozen: string | undefined;

  constructor(tables: LogTables, followers: LogFollowers) {
    this.#tables = tables;
    this.#followers = followers;
    this.#chain = new Chain(tables.db, tables.bundles, tables.salts, tables.leaves);
    this.frozen = this.#chain.load() ?? this.#checkpointDamage();
  }

  /** A log behind its own newest checkpoint, or of another root, has been cut or rewritten. */
  #checkpointDamage(): string | undefined {
    const newest = this.#tables.checkpoints.newest();
    if (!newest) return undefined;
    if (newest.size > this.#chain.size) return `the log ends at ${this.#chain.size}, its checkpoint at ${newest.size}`;
    try {
      const root = rangeRoot(sha256, storedSubtree(this.#tables.db), 0, newest.size);
      if (this.#tables.checkpoints.vouches(newest.note, newest.size, root)) return undefined;
      return `the checkpoint at ${newest.size} does not fit the log`;
    } catch (error) {
      if (diskTrouble(error) === "failing") throw error;
      return String(error);
    }
  }

  head(): port.Head {
    return { ...this.#chain.head(), size: this.#chain.size, ts: this.#chain.ts };
  }

  root(size = this.#chain.size): string {
    if (size === this.#chain.size) return this.#chain.tree.root().toHex();
    return rangeRoot(sha256, storedSubtree(this.#tables.db), 0, this.#inRange(size)).toHex();
  }

  append(entry: port.NewEntry): port.Appended | "duplicate" {
    if (this.#now === 0) throw new Error("append outside a commit");
    const { agents, kinds, facets, seen } = this.#tables;
    if (entry.body.length === 0) throw new TypeError("a body must not be empty");
    const kind = kinds.find(entry.kind) || kinds.intern(checked(entry.kind, kindPattern));
    const agent =
      entry.agent === undefined ? 0 : agents.find(entry.agent) || agents.intern(checked(entry.agent, agentPattern));
    if (entry.id !== undefined && !seen.admit(agent, entry.id, this.#now)) return "duplicate";
    const facet = internFacets(facets, entry.facets);
    const echo = entry.facets?.echo ?? (entry.repeats !== undefined && seen.has(agent, entry.repeats));
    const flags = flagsOf(entry.decision, entry.stream, echo);
    const appended = { seq: this.#chain.size + this.#pending.n, ts: this.#now };
    this.#pending.add(kind, agent, facet, flags, entry.body);
    if (entry.stream === "state") this.#followers.changed(changeOf(entry, appended));
    return appended;
  }

  *read(from = 0, to = this.#chain.size, mentioning?: string): Generator<port.StoredEntry> {
    yield* readEntries(this.#tables, from, Math.min(to, this.#chain.size), mentioning);
  }

  entry(seq: number): port.StoredEntry | undefined {
    const bundle = this.#tables.bundles.holding(seq);
    return bundle && new BundleReader(this.#tables, bundle).entry(seq - bundle.first);
  }

  page(query: port.PageQuery): port.Page {
    return readPage(this.#tables, this.#chain.size, query);
  }

  search(query: port.PageQuery): Generator<port.StoredEntry | undefined> {
    return searchAll(this.#tables, this.#chain.size, query);
  }

  seqAt(ts_ms: number): number {
    return seqAt(this.#tables, this.#chain.size, ts_ms);
  }

  leaf(seq: number): port.LeafRecord | undefined {
    return readLeaf(this.#tables, seq);
  }

  *leaves(from = 0, to = this.#chain.size): Generator<Uint8Array> {
    yield* readLeaves(this.#tables, from, Math.min(to, this.#chain.size));
  }

  verify(window: port.VerifyWindow = {}): Generator<number, port.Verification> {
    return verifyLog(this.#tables, this.#chain.head(), window);
  }

  compare(head: LogHead): "known" | "ahead" | "differs" {
    if (head.seq >= this.#chain.size) return "ahead";
    const own = head.seq < 0 ? "0".repeat(64) : leafHashes(this.#tables.db, head.seq, head.seq + 1).toHex();
    return own === head.hash ? "known" : "differs";
  }

  checkpoint(): string {
    const newest = this.#tables.checkpoints.newest();
    if (newest && (newest.size === this.#chain.size || this.frozen !== undefined)) return newest.note;
    if (this.frozen !== undefined) throw refusal("read_only");
    return this.#tables.checkpoints.signForReader(this.#chain.size, this.#chain.tree.root());
  }

  proof(seq: number, size?: number): port.InclusionProof {
    const newest = size === undefined ? this.checkpoint() : null;
    const n = this.#inRange(size ?? Checkpoints.claimedSize(newest!)!);
    const hashes = inclusionProof(sha256, storedSubtree(this.#tables.db), this.#below(seq, n), n);
    const leaf_hash = leafHashes(this.#tables.db, seq, seq + 1).toHex();
    return { seq, size: n, leaf_hash, hashes: hashes.map(hash => hash.toBase64()), checkpoint: newest };
  }

  consistency(from: number, to = this.#chain.size): string[] {
    const n = this.#inRange(to);
    return consistencyProof(sha256, storedSubtree(this.#tables.db), this.#below(from, n + 1), n).map(h => h.toBase64());
  }

  *eraseBodies(where: { before_ms: number }): Generator<number, number> {
    if (this.frozen !== undefined) throw refusal("read_only");
    let erased = 0;
    for (let seq = 0; ; ) {
      const bundle = nextErasable(this.#tables.db, seq, where.before_ms);
      if (bundle === undefined) break;
      erased += this.#tables.db.transact(() => eraseTelemetry(this.#tables, bundle, where.before_ms));
      yield (seq = bundle + 1);
    }
    if (erased > 0) this.#tables.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return erased;
  }

  eraseBody(seq: number): boolean {
    return eraseOne(this.#tables, seq);
  }

  tidy(): boolean {
    if (this.frozen !== undefined) return false;
    const { db, seen, world } = this.#tables;
    return mergeStep(this.#tables) || db.transact(() => seen.expire(world.now(), seenReach));
  }

  // For OrgStore: one commit.

  begin(now: number): void {
    this.#now = Math.max(now, this.#chain.ts, 1);
  }

  /** A point to come back to, when one command of the commit fails. */
  mark(): LogMark {
    return { n: this.#pending.n, seen: this.#tables.seen.mark() };
  }

  backTo({ n, seen }: LogMark): void {
    this.#pending.truncate(n);
    forgetStored(this.#tables);
    this.#tables.seen.backTo(seen);
  }

  /** Stores what the commit appended. */
  seal(): void {
    this.#tables.seen.flush();
    if (this.#pending.n === 0) return;
    this.#pending.lay();
    redactPending(this.#pending, this.#tables.world.redactionKey);
    this.#chain.seal(this.#pending, this.#now);
    this.#followers.sealed(this.#pending.columns(0, this.#pending.n, this.#now));
    if (this.#tables.checkpoints.due) this.#tables.checkpoints.sign(this.#chain.size, this.#chain.tree.root());
  }

  end(): void {
    this.#pending.clear();
    this.#now = 0;
  }

  /** The transaction was rolled back: nothing remembered counts. */
  rolledBack(): void {
    this.end();
    forgetAll(this.#tables);
    this.frozen ??= this.#chain.load();
  }

  #inRange(size: number): number {
    if (Number.isSafeInteger(size) && size >= 0 && size <= this.#chain.size) return size;
    throw refusal("invalid", { details: [{ path: "size", message: "is not a size this log has had" }] });
  }

  #below(seq: number, size: number): number {
    if (Number.isSafeInteger(seq) && seq >= 0 && seq < size) return seq;
    throw refusal("invalid", { details: [{ path: "seq", message: "is not an entry of that tree" }] });
  }
}

/** Kinds and agents stand in the leaf as they are. Throws on what would need escaping. */
function checked(name: string, pattern: RegExp): string {
  if (!pattern.test(name)) throw new TypeError(`a kind or agent must match ${pattern.source}`);
  return name;
}

function changeOf({ kind, agent, body }: port.NewEntry, { seq, ts }: port.Appended): Change {
  return { seq, ts, kind, ...(agent === undefined ? {} : { agent }), body };
}
