import type { Database } from "./database.ts";
import { expire, type SeenReach } from "./seen-expiry.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const idBytes = 16;
const agentsMax = 10_000;
export const msPerDay = 86_400_000;

/**
 * Exact de-duplication by (agent, id). An id above all of its agent's UUIDs (UUIDv7 come so) cannot have been seen: such
 * ids are only noted, and kept as one sorted run a commit. Any other id is looked for in the run whose range it
 * falls into and in the table of single ids. Lower-case UUIDs are kept as 16 bytes, everything else as text, so
 * neither can be taken for the other.
 */
export class Seen {
  #db: Database;
  #highest = new Map<number, string>();
  #waiting: string[] = [];
  #waitingAgent = 0;
  #day = 0;
  #fresh = 0;
  /** The run looked into last. */
  #run: { agent: number; ids: Buffer } | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** False when this agent has used the id before. Inside a transaction, `flush` before its end. */
  admit(agent: number, id: string, ts: number): boolean {
    const day = Math.floor(ts / msPerDay);
    if (day !== this.#day || agent !== this.#waitingAgent) this.flush();
    this.#day = day;
    this.#waitingAgent = agent;
    const isUuid = id.length === 36 && uuid.test(id);
    if (isUuid && id > this.#highestOf(agent)) {
      this.#highest.set(agent, id);
      this.#waiting.push(id);
      return true;
    }
    if (this.#waiting.length > 0) this.flush();
    return !(isUuid && this.#isInRun(agent, id)) && this.#insert(agent, id, isUuid);
  }

  /** Has this agent used the id? Inside a transaction. */
  has(agent: number, id: string): boolean {
    this.flush();
    const isUuid = uuid.test(id);
    const sql = `SELECT 1 FROM seen WHERE agent = ? AND id = ${isUuid ? "unhex(?, '-')" : "?"}`;
    return (isUuid && this.#isInRun(agent, id)) || this.#db.query(sql).get(agent, id) !== undefined;
  }

  /** Writes what waits. */
  flush(): void {
    if (this.#waiting.length > 0) {
      const ids = bytesOf(this.#waiting.join(""));
      const sql = "INSERT INTO seen_run VALUES (?, ?, ?, ?)";
      this.#db.query(sql).run(this.#waitingAgent, ids.subarray(0, idBytes), this.#day, ids);
      this.#fresh += this.#waiting.length;
      this.#waiting = [];
    }
    if (this.#fresh === 0) return;
    const sql = "INSERT INTO seen_day VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET n = n + excluded.n";
    this.#db.query(sql).run(this.#day, this.#fresh);
    this.#fresh = 0;
  }

  /** After a rollback. */
  forget(): void {
    this.#highest.clear();
    this.#waiting = [];
    this.#fresh = 0;
    this.#run = undefined;
  }

  /** One short step of forgetting ids beyond `reach`. False when there are none. Inside a transaction. */
  expire(now: number, reach: SeenReach): boolean {
    this.#run = undefined;
    return expire(this.#db, Math.floor(now / msPerDay), reach);
  }

  #insert(agent: number, id: string, isUuid: boolean): boolean {
    const sql = `INSERT OR IGNORE INTO seen VALUES (?, ${isUuid ? "unhex(?, '-')" : "?"}, ?)`;
    const isNew = this.#db.query(sql).run(agent, id, this.#day).changes === 1;
    if (isNew) this.#fresh++;
    return isNew;
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

  /** All TEXT sorts before all BLOBs, so the last single id of an agent is its highest UUID if it has one. */
  #highestOf(agent: number): string {
    const known = this.#highest.get(agent);
    if (known !== undefined) return known;
    const single = "SELECT id FROM seen WHERE agent = ? ORDER BY id DESC LIMIT 1";
    const id = this.#db.query<{ id: Uint8Array | string }>(single).get(agent)?.id;
    const newest = "SELECT ids FROM seen_run WHERE agent = ? ORDER BY first DESC LIMIT 1";
    const ids = this.#db.query<{ ids: Uint8Array }>(newest).get(agent)?.ids;
    const candidates = [id instanceof Uint8Array ? textOf(id) : "", ids ? textOf(ids.subarray(-idBytes)) : ""];
    const highest = candidates.sort().at(-1)!;
    if (this.#highest.size >= agentsMax) this.#highest.clear();
    this.#highest.set(agent, highest);
    return highest;
  }
}

const uuidLength = 36;
/** Where in its text each byte of a UUID stands. */
const places = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34);
const nibbles = Uint8Array.from({ length: 256 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16) || 0);

/** UUIDs end to end, to 16 bytes each: in a third of the time it takes to cut out their dashes and read hexadecimal. */
function bytesOf(uuids: string): Buffer {
  const text = Buffer.from(uuids, "latin1");
  const bytes = Buffer.allocUnsafe((text.length / uuidLength) * idBytes);
  for (let from = 0, at = 0; from < text.length; from += uuidLength)
    for (let i = 0; i < idBytes; i++, at++) {
      const place = from + places[i]!;
      bytes[at] = (nibbles[text[place]!]! << 4) | nibbles[text[place + 1]!]!;
    }
  return bytes;
}

const textOf = (bytes: Uint8Array): string => bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

const isBeyond = (ids: Buffer, wanted: Buffer) => wanted.compare(ids, ids.length - idBytes) > 0;

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
