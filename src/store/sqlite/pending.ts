import { type Columns, emptyColumns } from "./columns.ts";
import { saltSize } from "./salts.ts";

const startBytes = 512 << 10;

export interface PendingEntry {
  kind: number;
  agent: number;
  facet: number;
  flags: number;
}

/**
 * Entries of the open commit that are not sealed yet: their columns, and their bodies in one buffer, each behind room
 * for its salt, so that a digest is one hash over one stretch of it.
 */
export class Pending {
  bytes = Buffer.allocUnsafe(startBytes);
  used = 0;
  entries: PendingEntry[] = [];
  /** Where each body starts; the salt's room lies before it. */
  offsets: number[] = [];
  lengths: number[] = [];

  get n(): number {
    return this.entries.length;
  }

  add(entry: PendingEntry, body: string | Uint8Array): void {
    const at = this.used + saltSize;
    this.#makeRoom(at + (typeof body === "string" ? body.length * 3 : body.length));
    const length = typeof body === "string" ? this.bytes.write(body, at) : this.#copy(body, at);
    this.entries.push(entry);
    this.offsets.push(at);
    this.lengths.push(length);
    this.used = at + length;
  }

  body(i: number): Buffer {
    return this.bytes.subarray(this.offsets[i]!, this.offsets[i]! + this.lengths[i]!);
  }

  /** Puts other bodies in place of some; the rest moves. */
  replace(bodies: ReadonlyMap<number, string>): void {
    const old = { bytes: this.bytes, offsets: this.offsets, lengths: this.lengths, entries: this.entries };
    this.bytes = Buffer.allocUnsafe(this.bytes.length);
    this.#empty();
    for (let i = 0; i < old.entries.length; i++) {
      const start = old.offsets[i]!;
      this.add(old.entries[i]!, bodies.get(i) ?? old.bytes.subarray(start, start + old.lengths[i]!));
    }
  }

  /** Takes back everything after the first `n`. */
  truncate(n: number): void {
    if (n >= this.n) return;
    this.used = this.offsets[n]! - saltSize;
    this.entries.length = this.offsets.length = this.lengths.length = n;
  }

  clear(): void {
    this.#empty();
    if (this.bytes.length > startBytes * 8) this.bytes = Buffer.allocUnsafe(startBytes);
  }

  columns(from: number, to: number, ts: number): Columns {
    const columns = emptyColumns(to - from);
    columns.ts.fill(ts);
    for (let i = from; i < to; i++) {
      const entry = this.entries[i]!;
      columns.kind[i - from] = entry.kind;
      columns.agent[i - from] = entry.agent;
      columns.facet[i - from] = entry.facet;
      columns.flags[i - from] = entry.flags;
      columns.length[i - from] = this.lengths[i]!;
    }
    return columns;
  }

  /** The bodies of `[from, to)` end to end, without the room for salts. */
  packedBodies(from: number, to: number): Uint8Array {
    const start = this.offsets[from]! - saltSize;
    const end = this.offsets[to - 1]! + this.lengths[to - 1]!;
    const out = new Uint8Array(end - start - (to - from) * saltSize);
    let at = 0;
    for (let i = from; i < to; i++) {
      const offset = this.offsets[i]!;
      at += this.bytes.copy(out, at, offset, offset + this.lengths[i]!);
    }
    return out;
  }

  #copy(body: Uint8Array, at: number): number {
    this.bytes.set(body, at);
    return body.length;
  }

  #makeRoom(size: number): void {
    if (size <= this.bytes.length) return;
    const bytes = Buffer.allocUnsafe(2 ** Math.ceil(Math.log2(size)));
    this.bytes.copy(bytes, 0, 0, this.used);
    this.bytes = bytes;
  }

  #empty(): void {
    this.used = 0;
    this.entries = [];
    this.offsets = [];
    this.lengths = [];
  }
}
