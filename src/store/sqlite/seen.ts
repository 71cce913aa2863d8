import type { Database } from "./database.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const msPerDay = 86_400_000;
const sweepRows = 2_000;

/** How far de-duplication reaches: an id is forgotten only when it is beyond both. */
export interface SeenReach {
  days: number;
  ids: number;
}

/**
 * Exact de-duplication by (agent, id). Lower-case UUIDs are kept as 16 bytes, everything else as text, so neither can
 * be taken for the other. An id above all of its agent's UUIDs (UUIDv7 come so) cannot have been seen: those are
 * only noted and inserted together; any other is looked up.
 */
export class Seen {
  #db: Database;
  #highest = new Map<number, string>();
  #waiting: string[] = [];
  #waitingAgent = 0;
  #day = 0;
  #fresh = 0;
  #sweep: { agent: number; id: Uint8Array | string; until: number } | undefined;
  #sweptUntil = -1;

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
    return this.#insert(agent, id, isUuid);
  }

  #insert(agent: number, id: string, isUuid: boolean): boolean {
    if (this.#waiting.length > 0) this.flush();
    const sql = `INSERT OR IGNORE INTO seen VALUES (?, ${isUuid ? "unhex(?, '-')" : "?"}, ?)`;
    const isNew = this.#db.query(sql).run(agent, id, this.#day).changes === 1;
    if (isNew) this.#fresh++;
    return isNew;
  }

  /** Writes what waits. */
  flush(): void {
    if (this.#waiting.length > 0) {
      const sql = "INSERT INTO seen SELECT ?1, unhex(value, '-'), ?2 FROM json_each(?3)";
      this.#db.query(sql).run(this.#waitingAgent, this.#day, `["${this.#waiting.join('","')}"]`);
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
  }

  /** All TEXT sorts before all BLOBs, so the last row of an agent is its highest UUID if it has one. */
  #highestOf(agent: number): string {
    const known = this.#highest.get(agent);
    if (known !== undefined) return known;
    const sql = "SELECT id FROM seen WHERE agent = ? ORDER BY id DESC LIMIT 1";
    const id = this.#db.query<{ id: Uint8Array | string }>(sql).get(agent)?.id;
    const highest =
      id instanceof Uint8Array
        ? Buffer.from(id)
            .toString("hex")
            .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
        : "";
    if (this.#highest.size > 10_000) this.#highest.clear();
    this.#highest.set(agent, highest);
    return highest;
  }

  /** One short step of forgetting. False when there is nothing to forget. Inside a transaction. */
  forgetExpired(now: number, reach: SeenReach): boolean {
    const until = this.#sweep?.until ?? this.#expiredUntil(Math.floor(now / msPerDay), reach);
    if (until <= this.#sweptUntil) return false;
    const from = this.#sweep ?? { agent: -1, id: "" };
    const rows = this.#db
      .query<{ agent: number; id: Uint8Array | string; day: number }>(
        "SELECT agent, id, day FROM seen WHERE (agent, id) > (?, ?) ORDER BY agent, id LIMIT ?",
      )
      .all(from.agent, from.id, sweepRows);
    for (const row of rows)
      if (row.day <= until) this.#db.query("DELETE FROM seen WHERE agent = ? AND id = ?").run(row.agent, row.id);
    const last = rows.at(-1);
    this.#sweep = rows.length === sweepRows && last ? { agent: last.agent, id: last.id, until } : undefined;
    if (!this.#sweep) this.#finish(until);
    return true;
  }

  #finish(until: number): void {
    this.#sweptUntil = until;
    this.#db.query("DELETE FROM seen_day WHERE day <= ?").run(until);
  }

  /** The last day all of whose ids are older than `reach.days` and outside the newest `reach.ids`; -1 when none. */
  #expiredUntil(today: number, reach: SeenReach): number {
    let newer = 0;
    for (const { day, n } of this.#db
      .query<{ day: number; n: number }>("SELECT * FROM seen_day ORDER BY day DESC")
      .all()) {
      if (day < today - reach.days && newer >= reach.ids) return day;
      newer += n;
    }
    return -1;
  }
}
