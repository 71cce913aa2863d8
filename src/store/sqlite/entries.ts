import type { Entry, LeafRecord, StoredEntry } from "../log.ts";
import { type Bundle, bodyOffsets } from "./bundles.ts";
import { decisionOf, isEcho, isState } from "./columns.ts";
import { parseFacets } from "./facets.ts";
import type { LogTables } from "./log-tables.ts";
import { blockSize, saltSize } from "./salts.ts";
import { leafHashes } from "./tree.ts";

/** What the leaf of the `i`-th entry says of it. */
export function entryOf({ kinds, agents }: LogTables, { first, columns }: Bundle, i: number): Entry {
  const flags = columns.flags[i]!;
  const agent = agents.name(columns.agent[i]!);
  const decision = decisionOf(flags);
  return {
    seq: first + i,
    ts: columns.ts[i]!,
    stream: isState(flags) ? "state" : "telemetry",
    kind: kinds.name(columns.kind[i]!) ?? "",
    ...(agent === undefined ? {} : { agent }),
    ...(decision === undefined ? {} : { decision }),
  };
}

/** Entries as they are handed out, from the columns and blobs of a bundle. */
export class BundleReader {
  readonly bundle: Bundle;
  readonly columns: Bundle["columns"];
  #tables: LogTables;
  #offsets: Uint32Array;
  #bodies: Buffer | undefined;
  #hashes: Uint8Array | undefined;
  #salts: Uint8Array | undefined;

  constructor(tables: LogTables, bundle: Bundle) {
    this.#tables = tables;
    this.bundle = bundle;
    this.columns = bundle.columns;
    this.#offsets = bodyOffsets(bundle.columns);
  }

  erased(i: number): boolean {
    return this.columns.length[i] === 0;
  }

  /** The stored body, or the digest that is left of it. */
  stored(i: number): Uint8Array {
    const { buffer, byteOffset } = this.#allBodies();
    const start = this.#offsets[i]!;
    return new Uint8Array(buffer, byteOffset + start, this.#end(i) - start);
  }

  #end(i: number): number {
    const end = this.#offsets[i + 1]!;
    if (end > this.#allBodies().length) throw new Error("the bodies are shorter than their columns say");
    return end;
  }

  #allBodies(): Buffer {
    if (this.#bodies) return this.#bodies;
    const bytes = this.#tables.bundles.bodies(this.bundle.first);
    return (this.#bodies = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  }

  body(i: number): string | null {
    return this.erased(i) ? null : Buffer.from(this.stored(i)).toString();
  }

  /** Does this text stand in the body of an entry, or of any? */
  mentions(text: Uint8Array, i?: number): boolean {
    const bodies = this.#allBodies();
    const part = i === undefined ? bodies : bodies.subarray(this.#offsets[i]!, this.#end(i));
    return part.includes(text);
  }

  /** Leaf hashes, end to end. */
  get hashes(): Uint8Array {
    return (this.#hashes ??= this.#tables.bundles.hashes(this.bundle.first));
  }

  entry(i: number): StoredEntry {
    const { columns, hashes } = this;
    const { facets } = this.#tables;
    return {
      ...entryOf(this.#tables, this.bundle, i),
      facets: parseFacets(facets.name(columns.facet[i]!), isEcho(columns.flags[i]!)),
      hash: hashes.subarray(i * 32, i * 32 + 32).toHex(),
      body: this.body(i),
    };
  }

  /** Writes leaf and leaf hash anew from what is stored. */
  rehash(i: number, prev: Uint8Array, into: Uint8Array): void {
    const { columns } = this;
    const { leaves } = this.#tables;
    const seq = this.bundle.first + i;
    if (this.erased(i)) leaves.hashDigest(columns, i, seq, this.stored(i), prev, into);
    else leaves.hash(columns, i, seq, this.salted(i), prev, into);
  }

  /** Salt ‖ body, lent until the next call. A bundle lies in one block of salts. */
  salted(i: number): Uint8Array {
    const salts = (this.#salts ??= this.#tables.salts.ofBlock(Math.floor(this.bundle.first / blockSize)));
    const from = ((this.bundle.first + i) % blockSize) * saltSize;
    const salted = room(saltSize + this.columns.length[i]!);
    for (let byte = 0; byte < saltSize; byte++) salted[byte] = salts[from + byte]!;
    this.#allBodies().copy(salted, saltSize, this.#offsets[i]!, this.#end(i));
    return salted;
  }
}

let scratch = new Uint8Array(64 << 10);
function room(length: number): Uint8Array {
  if (length > scratch.length) scratch = new Uint8Array(length * 2);
  return scratch.subarray(0, length);
}

/** The leaf hash before `seq`; 32 zeros for the first. */
export function hashBefore(tables: LogTables, seq: number): Uint8Array {
  return seq === 0 ? new Uint8Array(32) : leafHashes(tables.db, seq - 1, seq);
}

export function readLeaf(tables: LogTables, seq: number): LeafRecord | undefined {
  const bundle = tables.bundles.holding(seq);
  if (!bundle) return undefined;
  const reader = new BundleReader(tables, bundle);
  const i = seq - bundle.first;
  const hash = new Uint8Array(32);
  reader.rehash(i, hashBefore(tables, seq), hash);
  const erased = reader.erased(i);
  return {
    leaf: tables.leaves.leaf,
    hash: hash.toHex(),
    salt: erased ? null : tables.salts.of(seq),
    body: erased ? null : new Uint8Array(reader.stored(i)),
  };
}

export function* readLeaves(tables: LogTables, from: number, to: number): Generator<Uint8Array> {
  let prev = hashBefore(tables, from);
  let next = from;
  for (const bundle of tables.bundles.range(from, to)) {
    const reader = new BundleReader(tables, bundle);
    const hash = new Uint8Array(32);
    for (let i = Math.max(0, next - bundle.first); i < bundle.n && bundle.first + i < to; i++) {
      reader.rehash(i, prev, hash);
      prev = reader.hashes.subarray(i * 32, i * 32 + 32);
      yield tables.leaves.leaf;
    }
    next = bundle.first + bundle.n;
  }
}

export function* readEntries(tables: LogTables, from: number, to: number, mentioning?: string): Generator<StoredEntry> {
  const text = mentioning === undefined ? undefined : Buffer.from(mentioning);
  let next = from;
  for (const bundle of tables.bundles.range(from, to)) {
    const reader = new BundleReader(tables, bundle);
    if (text && !reader.mentions(text)) {
      next = bundle.first + bundle.n;
      continue;
    }
    for (let i = Math.max(0, next - bundle.first); i < bundle.n && bundle.first + i < to; i++)
      if (!text || reader.mentions(text, i)) yield reader.entry(i);
    next = bundle.first + bundle.n;
  }
}
