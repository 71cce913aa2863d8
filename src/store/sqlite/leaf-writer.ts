import { encodeLeaf, leafParts } from "../../domain/audit/leaf.ts";
import { sha256 } from "../crypto.ts";
import { type Columns, decisionOf } from "./columns.ts";
import type { Names } from "./names.ts";

/** Both hex digits of a byte, as one number in little-endian order. */
const hexPairs = Uint16Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(byte.toString(16).padStart(2, "0")).readUInt16LE(),
);
const hexLength = 64;
const seqMember = '","seq":';
const keptMax = 1_000;

/**
 * Writes leaves and their hashes in bulk: the same bytes as the domain's `encodeLeaf`, without a string per hash. One form is
 * kept per (kind, agent, decision), into which an entry writes what is its own.
 */
export class LeafWriter {
  #kinds: Names;
  #agents: Names;
  #forms = new Map<number, Map<number, LeafForm>>();
  #last: LeafForm | undefined;
  #digest = new Uint8Array(32);

  constructor(kinds: Names, agents: Names) {
    this.#kinds = kinds;
    this.#agents = agents;
  }

  /** A copy of the leaf written last. */
  get leaf(): Uint8Array {
    return this.#last!.bytes.slice(1);
  }

  /** Writes the leaf of the `i`-th row, whose digest is SHA-256 of `salted`, and its hash into `into`. */
  hash(columns: Columns, i: number, seq: number, salted: Uint8Array, prev: Uint8Array, into: Uint8Array): void {
    sha256(salted, this.#digest);
    this.hashDigest(columns, i, seq, this.#digest, prev, into);
  }

  /** The same for a digest that is known (its body is erased). */
  hashDigest(columns: Columns, i: number, seq: number, digest: Uint8Array, prev: Uint8Array, into: Uint8Array): void {
    const form = this.#formOf(columns.kind[i]!, columns.agent[i]!, columns.flags[i]! & 7);
    form.fill(digest, prev, seq, columns.ts[i]!);
    sha256(form.bytes, into);
    this.#last = form;
  }

  forget(): void {
    this.#forms.clear();
  }

  #formOf(kind: number, agent: number, decision: number): LeafForm {
    const key = kind * 8 + decision;
    let ofAgent = this.#forms.get(agent);
    if (!ofAgent) {
      if (this.#forms.size > keptMax) this.#forms.clear();
      this.#forms.set(agent, (ofAgent = new Map()));
    }
    let form = ofAgent.get(key);
    if (!form) {
      if (ofAgent.size > keptMax) ofAgent.clear();
      ofAgent.set(key, (form = this.#make(kind, agent, decision)));
    }
    return form;
  }

  #make(kindId: number, agentId: number, flags: number): LeafForm {
    const kind = this.#kinds.name(kindId) ?? "";
    const agent = this.#agents.name(agentId);
    const decision = decisionOf(flags);
    // Throws on a name that a leaf cannot hold: a damaged file.
    encodeLeaf({
      digest: "",
      prev: "",
      seq: 0,
      ts: 0,
      kind,
      ...(agent ? { agent } : {}),
      ...(decision ? { decision } : {}),
    });
    return new LeafForm(...leafParts(kind, agent, decision));
  }
}

/** 0x00 (the leaf prefix of RFC 6962) and a leaf, into which an entry writes its hashes and numbers. */
class LeafForm {
  /** Exactly as long as the leaf: a view of it would cost more than what is written. */
  bytes = new Uint8Array(0);
  #view = new DataView(this.bytes.buffer);
  readonly #before: string;
  readonly #between: string;
  #ts = 0;
  /** The leaf is so long while `seq` and `ts` have as many digits as these. */
  #seqDigits = 0;
  #tsDigits = 0;

  constructor(before: string, between: string) {
    this.#before = before;
    this.#between = between;
  }

  fill(digest: Uint8Array, prev: Uint8Array, seq: number, ts: number): void {
    if (digitsOf(seq) !== this.#seqDigits || digitsOf(ts) !== this.#tsDigits) this.#lay(seq, ts);
    const digestAt = 1 + this.#before.length;
    const prevAt = digestAt + hexLength + this.#between.length;
    this.#hex(digest, digestAt);
    this.#hex(prev, prevAt);
    this.#number(seq, prevAt + hexLength + seqMember.length + this.#seqDigits);
    // Many entries of one commit share it.
    if (ts !== this.#ts) this.#number((this.#ts = ts), this.bytes.length - 1);
  }

  #lay(seq: number, ts: number): void {
    const room = "0".repeat(hexLength);
    const text = `\0${this.#before}${room}${this.#between}${room}${seqMember}${seq},"ts":${ts}}`;
    this.bytes = new Uint8Array(Buffer.from(text));
    this.#view = new DataView(this.bytes.buffer);
    this.#ts = ts;
    this.#seqDigits = digitsOf(seq);
    this.#tsDigits = digitsOf(ts);
  }

  /** In decimal, ending before `end`. */
  #number(value: number, end: number): void {
    const bytes = this.bytes;
    do {
      const rest = Math.floor(value / 10);
      bytes[--end] = 48 + (value - rest * 10);
      value = rest;
    } while (value > 0);
  }

  #hex(hash: Uint8Array, at: number): void {
    const view = this.#view;
    for (let i = 0; i < 32; i++) view.setUint16(at + i * 2, hexPairs[hash[i]!]!, true);
  }
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let power = 10; power <= value; power *= 10) digits++;
  return digits;
}
