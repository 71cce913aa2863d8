import type { Database } from "./database.ts";
import { expire, type SeenReach } from "./seen-expiry.ts";
import { type AgentIds, SeenRecent } from "./seen-recent.ts";
import { bytesOf, idBytes, isUuid, textOf } from "./uuid-bytes.ts";

const agentsMax = 10_000;
export const msPerDay = 86_400_000;
/** So many ids of an agent in one commit are a run of their own. */
const runMin = 64;

/** A point within a commit to come back to. */
export interface SeenMark {
  parts: number;
  /** Of the last part. */
  ids: number;
  singles: number;
}

/**
 * Exact de-duplication by (agent, id). An id above all of its agent's UUIDs (UUIDv7 come so) cannot have been seen: such
 * ids are only noted, kept with the others of their commit (`SeenRecent`), later as sorted runs by agent. Any other id is looked
 * for there, in the run whose range it falls into, and in the table of single ids. Lower-case UUIDs are kept as 16 bytes,
 * everything else as text, so neither can be taken for the other.
 */
export class Seen {
  #db: Database;
  #recent: SeenRecent;
  #highest = new Map<number, string>();
  /** UUIDs of the open commit, as they came. */
  #waiting: { agent: number; ids: string[] }[] = [];
  #day = 0;
  /** Kept one by one and not counted yet. */
  #singles = 0;
  /** The run looked into last. */
  #run: { agent: number; ids: Buffer } | undefined;

  constructor(db: Database) {
    this.#db = db;
    this.#recent = new SeenRecent(db);
  }

  /** False when this agent has used the id before. Inside a transaction, `flush` before its end. */
  admit(agent: number, id: string, ts: number): boolean {
    const day = Math.floor(ts / msPerDay);
    if (day !== this.#day) this.flush();
    this.#day = day;
    const uuid = isUuid(id);
    if (uuid && id > this.#highestOf(agent)) {
      this.#highest.set(agent, id);
      this.#wait(agent, id);
      return true;
    }
    return !(uuid && this.#isAscending(agent, id)) && this.#insert(agent, id, uuid);
  }

  /** Has this agent used the id? Inside a transaction. */
  has(agent: number, id: string): boolean {
    const uuid = isUuid(id);
    const sql = `SELECT 1 FROM seen WHERE agent = ? AND id = ${uuid ? "unhex(?, '-')" : "?"}`;
    return (uuid && this.#isAscending(agent, id)) || this.#db.query(sql).get(agent, id) !== undefined;
  }

  mark(): SeenMark {
    return { parts: this.#waiting.length, ids: this.#waiting.at(-1)?.ids.length ?? 0, singles: this.#singles };
  }

  /** Takes back what was admitted since; what it wrote has been rolled back. */
  backTo({ parts, ids, singles }: SeenMark): void {
    this.#waiting.length = parts;
    if (parts > 0) this.#waiting[parts - 1]!.ids.length = ids;
    this.#singles = singles;
    this.#highest.clear();
  }

  /** Writes what waits. */
  flush(): void {
    const few: AgentIds = new Map();
    for (const [agent, ids] of this.#byAgent())
      if (ids.length >= runMin) this.#storeRun(agent, ids);
      else few.set(agent, ids);
    this.#waiting = [];
    if (few.size > 0) {
      if (this.#recent.isDue(this.#day)) this.#fold();
      this.#recent.add(this.#day, few);
    }
    this.#count(this.#day, this.#singles);
    this.#singles = 0;
  }

  /** After a rollback. */
  forget(): void {
    this.#highest.clear();
    this.#waiting = [];
    this.#singles = 0;
    this.#run = undefined;
    this.#recent.forget();
  }

  /** One short step of forgetting ids beyond `reach`. False when there are none. Inside a transaction. */
  expire(now: number, reach: SeenReach): boolean {
    this.#run = undefined;
    const today = Math.floor(now / msPerDay);
    if (!this.#recent.isDue(today)) return expire(this.#db, today, reach);
    this.#fold();
    return true;
  }

  #wait(agent: number, id: string): void {
    const last = this.#waiting.at(-1);
    if (last?.agent === agent) last.ids.push(id);
    else this.#waiting.push({ agent, ids: [id] });
  }

  #byAgent(): AgentIds {
    const all: AgentIds = new Map();
    for (const { agent, ids } of this.#waiting) {
      const before = all.get(agent);
      if (ids.length > 0) all.set(agent, before ? before.concat(ids) : ids);
    }
    return all;
  }

  /** An agent's runs never overlap: what is recent comes before. */
  #storeRun(agent: number, ids: readonly string[]): void {
    if (this.#recent.of(agent)) this.#fold();
    this.#insertRun(agent, ids, this.#day);
    this.#count(this.#day, ids.length);
  }

  /** Makes runs of what is recent. */
  #fold(): void {
    const { ids, day, count } = this.#recent.take();
    for (const [agent, own] of ids) this.#insertRun(agent, own, day);
    this.#count(day, count);
  }

  #insertRun(agent: number, uuids: readonly string[], day: number): void {
    const ids = bytesOf(uuids.join(""));
    this.#db.query("INSERT INTO seen_run VALUES (?, ?, ?, ?)").run(agent, ids.subarray(0, idBytes), day, ids);
  }

  #count(day: number, n: number): void {
    const sql = "INSERT INTO seen_day VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET n = n + excluded.n";
    if (n > 0) this.#db.query(sql).run(day, n);
  }

  #insert(agent: number, id: string, uuid: boolean): boolean {
    const sql = `INSERT OR IGNORE INTO seen VALUES (?, ${uuid ? "unhex(?, '-')" : "?"}, ?)`;
    const isNew = this.#db.query(sql).run(agent, id, this.#day).changes === 1;
    if (isNew) this.#singles++;
    return isNew;
  }

  /** Is it among the UUIDs that came in ascending order? */
  #isAscending(agent: number, id: string): boolean {
    const isWaiting = this.#waiting.some(part => part.agent === agent && isAmong(part.ids, id));
    return isWaiting || isAmong(this.#recent.of(agent), id) || this.#isInRun(agent, id);
  }

  #isInRun(agent: number, id: string): boolean {
    const wanted = bytesOf(id);
    const run = this.#run;
    const isAtHand = run?.agent === agent && wanted.compare(run.ids, 0, idBytes) >= 0 && !isBeyond(run.ids, wanted);
    if (!isAtHand) {
      const sql = "SELECT ids FROM seen_run WHERE agent = ? AND first <= ? ORDER BY first DESC LIMIT 1";
      const row = this.#db.query<{ ids: Uint8Array }>(sql).get(agent, wanted);
      if (!row) return false;
      this.#run = { agent, ids: Buffer.from(row.ids) };
    }
    return isIn(this.#run!.ids, wanted);
  }

  #highestOf(agent: number): string {
    const known = this.#highest.get(agent);
    if (known !== undefined) return known;
    const waiting = this.#waiting.findLast(part => part.agent === agent && part.ids.length > 0);
    const highest = waiting?.ids.at(-1) ?? this.#highestStored(agent);
    if (this.#highest.size >= agentsMax) this.#highest.clear();
    this.#highest.set(agent, highest);
    return highest;
  }

  /** All TEXT sorts before all BLOBs, so the last single id of an agent is its highest UUID if it has one. */
  #highestStored(agent: number): string {
    const single = "SELECT id FROM seen WHERE agent = ? ORDER BY id DESC LIMIT 1";
    const id = this.#db.query<{ id: Uint8Array | string }>(single).get(agent)?.id;
    const newest = "SELECT ids FROM seen_run WHERE agent = ? ORDER BY first DESC LIMIT 1";
    const ids = this.#db.query<{ ids: Uint8Array }>(newest).get(agent)?.ids;
    const candidates = [
      this.#recent.of(agent)?.at(-1) ?? "",
      id instanceof Uint8Array ? textOf(id) : "",
      ids ? textOf(ids.subarray(-idBytes)) : "",
    ];
    return candidates.sort().at(-1)!;
  }
}

const isBeyond = (ids: Buffer, wanted: Buffer) => wanted.compare(ids, ids.length - idBytes) > 0;

/** Binary search in sorted texts. */
function isAmong(ids: readonly string[] | undefined, wanted: string): boolean {
  let [low, high] = [0, ids?.length ?? 0];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids![middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return ids?.[low] === wanted;
}

/** Binary search in sorted ids. */
function isIn(ids: Buffer, wanted: Buffer): boolean {
  let [low, high] = [0, ids.length / idBytes];
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = wanted.compare(ids, middle * idBytes, (middle + 1) * idBytes);
    if (order === 0) return true;
    if (order > 0) low = middle + 1;
    else high = middle;
  }
  return false;
}
