import { encodeLeaf, leafParts } from "../../domain/audit/leaf.ts";
import { sha256 } from "../crypto.ts";
import { decisionOf } from "./columns.ts";
import type { Names } from "./names.ts";

/** Both hex digits of a byte, as one number in little-endian order. */
const hexPairs = Uint16Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(byte.toString(16).padStart(2, "0")).readUInt16LE(),
);

const seqMember = Buffer.from('","seq":');

interface Parts {
  before: Uint8Array;
  between: Uint8Array;
}

/**
 * Writes leaves and their hashes in bulk: the same bytes as the domain's `encodeLeaf`, without a string per hash.
 * What stands before the digest and between digest and `prev` is kept per (kind, agent, decision).
 */
export class LeafWriter {
  #kinds: Names;
  #agents: Names;
  #parts = new Map<number, Map<number, Parts>>();
  /** 0x00 (the leaf prefix of RFC 6962), then the leaf. */
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  /** `#bytes` up to each length a leaf has had: views cost more than what is written through them. */
  #cuts: Uint8Array[] = [];
  #digest = new Uint8Array(32);
  #length = 0;
  /** `ts` and what ends the leaf: the same for a whole commit. */
  #ts = -1;
  #end = new Uint8Array(0);

  constructor(kinds: Names, agents: Names) {
    this.#kinds = kinds;
    this.#agents = agents;
  }

  /** A copy of the leaf written last. */
  get leaf(): Uint8Array {
    return this.#bytes.slice(1, this.#length);
  }

  /** Writes the leaf whose digest is SHA-256 of `salted`, and its hash into `into`. */
  hash(entry: LeafColumns, salted: Uint8Array, prev: Uint8Array, into: Uint8Array): void {
    sha256(salted, this.#digest);
    this.hashDigest(entry, this.#digest, prev, into);
  }

  /** The same for a digest that is known (its body is erased). */
  hashDigest(entry: LeafColumns, digest: Uint8Array, prev: Uint8Array, into: Uint8Array): void {
    const { before, between } = this.#partsOf(entry);
    const bytes = this.#bytes;
    bytes.set(before, 1);
    let at = this.#hex(digest, 1 + before.length);
    bytes.set(between, at);
    at = this.#hex(prev, at + between.length);
    bytes.set(seqMember, at);
    at = this.#decimal(entry.seq, at + seqMember.length);
    if (entry.ts !== this.#ts) this.#setTime(entry.ts);
    bytes.set(this.#end, at);
    this.#length = at + this.#end.length;
    sha256((this.#cuts[this.#length] ??= bytes.subarray(0, this.#length)), into);
  }

  forget(): void {
    this.#parts.clear();
  }

  #setTime(ts: number): void {
    this.#ts = ts;
    this.#end = Buffer.from(`,"ts":${ts}}`);
  }

  #decimal(value: number, at: number): number {
    const bytes = this.#bytes;
    let digits = 1;
    for (let power = 10; power <= value; power *= 10) digits++;
    for (let i = at + digits - 1; i >= at; i--) {
      const rest = Math.floor(value / 10);
      bytes[i] = 48 + value - rest * 10;
      value = rest;
    }
    return at + digits;
  }

  #hex(hash: Uint8Array, at: number): number {
    const view = this.#view;
    for (let i = 0; i < 32; i++) view.setUint16(at + i * 2, hexPairs[hash[i]!]!, true);
    return at + 64;
  }

  #partsOf(entry: LeafColumns): Parts {
    const key = entry.kind * 8 + (entry.flags & 7);
    let ofAgent = this.#parts.get(entry.agent);
    if (!ofAgent) {
      if (this.#parts.size > 1_000) this.#parts.clear();
      this.#parts.set(entry.agent, (ofAgent = new Map()));
    }
    let parts = ofAgent.get(key);
    if (!parts) {
      if (ofAgent.size > 1_000) ofAgent.clear();
      ofAgent.set(key, (parts = this.#make(entry)));
    }
    return parts;
  }

  #make(entry: LeafColumns): Parts {
    const kind = this.#kinds.name(entry.kind) ?? "";
    const agent = this.#agents.name(entry.agent);
    const decision = decisionOf(entry.flags);
    encodeLeaf({
      digest: "",
      prev: "",
      seq: 0,
      ts: 0,
      kind,
      ...(agent ? { agent } : {}),
      ...(decision ? { decision } : {}),
    });
    const [before, between] = leafParts(kind, agent, decision);
    return { before: Buffer.from(before), between: Buffer.from(between) };
  }
}

export interface LeafColumns {
  seq: number;
  ts: number;
  kind: number;
  agent: number;
  flags: number;
}
