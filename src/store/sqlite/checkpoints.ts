import { openCheckpoint, parseCheckpointText, signCheckpoint } from "../../domain/audit/note.ts";
import { sha256, verifyEd25519 } from "../crypto.ts";
import type { StoreWorld } from "../open.ts";
import { diskTrouble } from "../disk-trouble.ts";
import type { Database } from "./database.ts";

const everyMs = 1_000;
/** Of the older notes one is kept per so many entries: verification compares the root at each. */
const keptEvery = 4_096;

/** The signed notes of the log: at most one a second, the newest and a sparse trail of older ones. */
export class Checkpoints {
  #db: Database;
  #world: StoreWorld;
  #signedAt = Number.NEGATIVE_INFINITY;

  constructor(db: Database, world: StoreWorld) {
    this.#db = db;
    this.#world = world;
  }

  newest(): { size: number; note: string } | undefined {
    const sql = "SELECT size, note FROM checkpoint ORDER BY size DESC LIMIT 1";
    return this.#db.query<{ size: number; note: string }>(sql).get();
  }

  get due(): boolean {
    const now = this.#world.now();
    return now - this.#signedAt >= everyMs || now < this.#signedAt;
  }

  /** Signs and keeps, inside a transaction. */
  sign(size: number, root: Uint8Array): string {
    const note = this.#note(size, root);
    this.#keep(size, note);
    return note;
  }

  /** Signs for somebody who only reads: without room to keep the note it is given out all the same. */
  signForReader(size: number, root: Uint8Array): string {
    const note = this.#note(size, root);
    try {
      this.#db.attempt(() => this.#keep(size, note));
    } catch (error) {
      if (diskTrouble(error) !== "full") throw error;
    }
    return note;
  }

  #note(size: number, root: Uint8Array): string {
    const { origin, signer } = this.#world;
    return signCheckpoint(sha256, { origin, size, root }, signer.publicKey, signer.sign);
  }

  #keep(size: number, note: string): void {
    const newest = this.newest();
    if (newest && Math.floor(newest.size / keptEvery) === Math.floor(size / keptEvery))
      this.#db.query("DELETE FROM checkpoint WHERE size = ?").run(newest.size);
    this.#db.query("INSERT OR REPLACE INTO checkpoint VALUES (?, ?)").run(size, note);
    this.#signedAt = this.#world.now();
  }

  /** Does one of this log's keys vouch for the note, and for this size and root? */
  vouches(note: string, size: number, root: Uint8Array): boolean {
    const opened = this.open(note);
    return opened?.size === size && opened.root.toHex() === root.toHex();
  }

  open(note: string) {
    const { origin, signer } = this.#world;
    for (const publicKey of [signer.publicKey, ...(signer.formerKeys ?? [])]) {
      const opened = openCheckpoint(sha256, note, { name: origin, publicKey }, verifyEd25519);
      if (opened?.origin === origin) return opened;
    }
    return undefined;
  }

  /** The size a note claims, its signature unseen. */
  static claimedSize(note: string): number | undefined {
    return parseCheckpointText(note)?.size;
  }

  /** After a rollback. */
  forget(): void {
    this.#signedAt = Number.NEGATIVE_INFINITY;
  }
}
