import { type Columns, emptyColumns } from "./columns.ts";
import { saltSize } from "./salts.ts";

const startEntries = 1024;
const startBytes = 512 << 10;
const keptBytes = 4 << 20;
const encoder = new TextEncoder();
const saltRoom = "\0".repeat(saltSize);

/** Where bodies are laid out, for all organisations of a thread: from `lay` to `clear` nobody else commits. */
let room = Buffer.allocUnsafe(startBytes);

/** Into the room, which grows until all of it fits. */
function encode(text: string): number {
  for (let size = text.length; ; size *= 2) {
    if (size > room.length) room = Buffer.allocUnsafe(2 ** Math.ceil(Math.log2(size)));
    const { read, written } = encoder.encodeInto(text, room);
    if (read === text.length) return written;
  }
}

/**
 * Entries of the open commit that are not sealed yet: column by column, their bodies as texts. `lay` turns all bodies into
 * bytes at once, each behind room for its salt, so that a digest is one hash over one stretch of them.
 */
export class Pending {
  n = 0;
  /** The bodies once laid out: no more than they need. */
  bytes = Buffer.alloc(0);
  /** Where each body starts once laid out; the salt's room lies before it. */
  offsets = new Uint32Array(startEntries);
  #columns = emptyColumns(startEntries);
  #bodies: string[] = [];

  add(kind: number, agent: number, facet: number, flags: number, body: string): void {
    if (this.n === this.#columns.n) this.#grow();
    const columns = this.#columns;
    const i = this.n++;
    columns.kind[i] = kind;
    columns.agent[i] = agent;
    columns.facet[i] = facet;
    columns.flags[i] = flags;
    this.#bodies.push(body);
  }

  flags(i: number): number {
    return this.#columns.flags[i]!;
  }

  body(i: number): string {
    return this.#bodies[i]!;
  }

  /** Writes the bodies as bytes. */
  lay(): void {
    const text = ["", ...this.#bodies].join(saltRoom);
    const size = encode(text);
    this.bytes = room.subarray(0, size);
    const isAscii = size === text.length;
    const { length } = this.#columns;
    for (let i = 0, at = saltSize; i < this.n; i++) {
      const body = this.#bodies[i]!;
      this.offsets[i] = at;
      length[i] = isAscii ? body.length : Buffer.byteLength(body);
      at += length[i]! + saltSize;
    }
  }

  /** The entry whose body (or room for the salt behind it) holds the byte at `at`. */
  holding(at: number): number {
    let [low, high] = [0, this.n];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.offsets[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Puts other bodies in place of some, and lays all out anew. */
  replace(bodies: ReadonlyMap<number, string>): void {
    for (const [i, body] of bodies) this.#bodies[i] = body;
    this.lay();
  }

  /** Takes back everything after the first `n`. */
  truncate(n: number): void {
    this.n = this.#bodies.length = Math.min(n, this.n);
  }

  clear(): void {
    this.truncate(0);
    this.bytes = Buffer.alloc(0);
    if (room.length > keptBytes) room = Buffer.allocUnsafe(startBytes);
  }

  /** Lent: good until the next commit. */
  columns(from: number, to: number, ts: number): Columns {
    const { kind, agent, facet, length, flags } = this.#columns;
    return {
      n: to - from,
      ts: new Float64Array(to - from).fill(ts),
      kind: kind.subarray(from, to),
      agent: agent.subarray(from, to),
      facet: facet.subarray(from, to),
      length: length.subarray(from, to),
      flags: flags.subarray(from, to),
    };
  }

  /** The bodies of `[from, to)` end to end, moved over the rooms of their salts: once they are hashed, and in order. */
  pack(from: number, to: number): Uint8Array {
    const { bytes, offsets } = this;
    const { length } = this.#columns;
    const start = offsets[from]!;
    let at = start + length[from]!;
    for (let i = from + 1; i < to; i++) {
      const offset = offsets[i]!;
      bytes.copyWithin(at, offset, offset + length[i]!);
      at += length[i]!;
    }
    return bytes.subarray(start, at);
  }

  #grow(): void {
    const old = this.#columns;
    const grown = emptyColumns(old.n * 2);
    for (const name of ["kind", "agent", "facet", "flags"] as const) grown[name].set(old[name]);
    this.#columns = grown;
    this.offsets = new Uint32Array(grown.n);
  }
}
