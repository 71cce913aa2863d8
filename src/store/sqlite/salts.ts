import { keyStream } from "../crypto.ts";
import type { Database } from "./database.ts";

export const blockSize = 1024;
export const saltSize = 16;
const recordSize = 2 + saltSize;

/**
 * Salts keep erased bodies from being guessed out of their digests. A block of 1,024 has one seed and takes its salts from
 * the seed's key stream; once something in it is erased, the seed goes and what is left is listed: slot (u16), salt.
 */
export class Salts {
  #db: Database;
  #random: (bytes: number) => Uint8Array;
  #block = -1;
  #salts: Uint8Array = new Uint8Array(0);

  constructor(db: Database, random: (bytes: number) => Uint8Array) {
    this.#db = db;
    this.#random = random;
  }

  /** All salts of a block, zeros where erased. `create`: give it a seed if it has none (inside a transaction). */
  ofBlock(block: number, create = false): Uint8Array {
    if (block === this.#block) return this.#salts;
    const row = this.#db.query<{ salts: Uint8Array }>("SELECT salts FROM salt WHERE block = ?").get(block);
    if (!row && !create) throw new Error(`block ${block} has no salts`);
    const stored = row?.salts ?? this.#random(saltSize);
    if (!row) this.#db.query("INSERT INTO salt VALUES (?, ?)").run(block, stored);
    this.#salts = stored.length === saltSize ? keyStream(stored, blockSize * saltSize) : listed(stored);
    this.#block = block;
    return this.#salts;
  }

  of(seq: number): Uint8Array {
    const at = (seq % blockSize) * saltSize;
    return this.ofBlock(Math.floor(seq / blockSize)).slice(at, at + saltSize);
  }

  /** Inside a transaction. Slots not used yet keep their salts. */
  erase(block: number, slots: readonly number[]): void {
    const salts = this.ofBlock(block);
    const gone = new Set(slots);
    const kept: number[] = [];
    for (let slot = 0; slot < blockSize; slot++)
      if (!gone.has(slot) && !isZero(salts, slot * saltSize)) kept.push(slot);
    const list = new Uint8Array(kept.length * recordSize);
    kept.forEach((slot, i) => {
      new DataView(list.buffer).setUint16(i * recordSize, slot);
      list.set(salts.subarray(slot * saltSize, (slot + 1) * saltSize), i * recordSize + 2);
    });
    this.#db.query("UPDATE salt SET salts = ? WHERE block = ?").run(list, block);
    this.forget();
  }

  /** After a rollback or a change. */
  forget(): void {
    this.#block = -1;
  }
}

function listed(list: Uint8Array): Uint8Array {
  if (list.length % recordSize !== 0) throw new Error("the list of salts is damaged");
  const salts = new Uint8Array(blockSize * saltSize);
  const view = new DataView(list.buffer, list.byteOffset);
  for (let at = 0; at < list.length; at += recordSize)
    salts.set(list.subarray(at + 2, at + recordSize), (view.getUint16(at) % blockSize) * saltSize);
  return salts;
}

const isZero = (bytes: Uint8Array, at: number) => {
  for (let i = at; i < at + saltSize; i++) if (bytes[i] !== 0) return false;
  return true;
};
