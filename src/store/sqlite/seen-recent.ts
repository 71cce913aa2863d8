import type { Database } from "./database.ts";
import { bytesOf, idBytes, textOf } from "./uuid-bytes.ts";

/** UUIDs by agent, each agent's in ascending order. */
export type AgentIds = Map<number, string[]>;

/** So many commits or ids are kept before they become runs: they are held in memory, too. */
const commitsMax = 128;
const idsMax = 2_048;
const headBytes = 8;

interface Recent {
  ids: AgentIds;
  /** Since 1970, of all of them. */
  day: number;
  commits: number;
  count: number;
}

/**
 * Ids of small commits, one row a commit. As runs they would take a row for each agent, and in the index of runs a page for
 * each: of a commit of eight single events that was two thirds.
 */
export class SeenRecent {
  readonly #db: Database;
  /** Undefined until asked for, and after a rollback. */
  #known: Recent | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  of(agent: number): readonly string[] | undefined {
    return this.#recent().ids.get(agent);
  }

  /** Has the time come for them to become runs, before ids of `day` are added? Without reading them. */
  isDue(day: number): boolean {
    const known = this.#known;
    const first = "SELECT day FROM seen_recent LIMIT 1";
    if (!known) return (this.#db.query<{ day: number }>(first).get()?.day ?? day) !== day;
    return known.count > 0 && (known.day !== day || known.commits >= commitsMax || known.count >= idsMax);
  }

  /** Keeps those of one commit. Inside its transaction. */
  add(day: number, ids: AgentIds): void {
    const recent = this.#recent();
    this.#db.query("INSERT INTO seen_recent VALUES (?, ?)").run(day, encode(ids));
    note(recent, day, ids);
  }

  /** All of them, which are kept here no longer. Inside a transaction. */
  take(): Recent {
    const recent = this.#recent();
    if (recent.count > 0) this.#db.query("DELETE FROM seen_recent").run();
    this.#known = nothing();
    return recent;
  }

  /** After a rollback. */
  forget(): void {
    this.#known = undefined;
  }

  #recent(): Recent {
    if (this.#known) return this.#known;
    const recent = nothing();
    const sql = "SELECT day, ids FROM seen_recent ORDER BY rowid";
    for (const { day, ids } of this.#db.query<{ day: number; ids: Uint8Array }>(sql).all())
      note(recent, day, decode(ids));
    return (this.#known = recent);
  }
}

const nothing = (): Recent => ({ ids: new Map(), day: 0, commits: 0, count: 0 });

function note(recent: Recent, day: number, ids: AgentIds): void {
  recent.day = day;
  recent.commits++;
  for (const [agent, added] of ids) {
    recent.count += added.length;
    const known = recent.ids.get(agent);
    if (known) known.push(...added);
    else recent.ids.set(agent, [...added]);
  }
}

/** For each agent its number, how many ids (u32 each, little-endian), and the ids. */
function encode(ids: AgentIds): Uint8Array {
  return Buffer.concat(
    [...ids].flatMap(([agent, own]) => {
      const head = Buffer.allocUnsafe(headBytes);
      head.writeUInt32LE(agent, 0);
      head.writeUInt32LE(own.length, 4);
      return [head, bytesOf(own.join(""))];
    }),
  );
}

/** Throws on bytes that `encode` has not written. */
export function decode(bytes: Uint8Array): AgentIds {
  const ids: AgentIds = new Map();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; ) {
    const [agent, n] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    const from = at + headBytes;
    at = from + n * idBytes;
    if (at > bytes.length) throw new RangeError("recent ids are cut off");
    ids.set(
      agent,
      Array.from({ length: n }, (_, i) => textOf(bytes.subarray(from + i * idBytes, from + (i + 1) * idBytes))),
    );
  }
  return ids;
}
