import type { ProvedEntry } from "../log.ts";
import { type Bundle, bodyOffsets } from "./bundles.ts";
import { entryOf } from "./entries.ts";
import type { LogTables } from "./log-tables.ts";
import { blockSize, saltSize } from "./salts.ts";

/**
 * Recomputes the leaf hashes of one bundle in ascending order, from unpacked bodies of its own: each salt is written over
 * the end of the body before, which is hashed by then, so that hardly anything is copied. Throws what damaged storage makes
 * it throw.
 */
export class Rehasher {
  readonly #tables: LogTables;
  readonly #bundle: Bundle;
  readonly #offsets: Uint32Array;
  readonly #bytes: Uint8Array;
  #salts: Uint8Array | undefined;

  constructor(tables: LogTables, bundle: Bundle) {
    this.#tables = tables;
    this.#bundle = bundle;
    this.#offsets = bodyOffsets(bundle.columns);
    this.#bytes = tables.bundles.unpack(bundle.first);
  }

  /** The leaf hash of the `i`-th entry, in place of the one before it in `hash`. */
  next(i: number, hash: Uint8Array): void {
    const { columns, first } = this.#bundle;
    const { leaves } = this.#tables;
    const start = this.#offsets[i]!;
    const end = this.#offsets[i + 1]!;
    if (end > this.#bytes.length) throw new Error("the bodies are shorter than their columns say");
    if (columns.length[i] === 0) leaves.hashDigest(columns, i, first + i, this.#bytes.subarray(start, end), hash, hash);
    else leaves.hash(columns, i, first + i, this.#salted(first + i, start, end), hash, hash);
  }

  /** The `i`-th entry as it was hashed; its body can be read until the next one is. */
  entry(i: number): ProvedEntry {
    return { ...entryOf(this.#tables, this.#bundle, i), body: () => this.#body(i) };
  }

  #body(i: number): string | null {
    if (this.#bundle.columns.length[i] === 0) return null;
    const { buffer, byteOffset } = this.#bytes;
    const start = this.#offsets[i]!;
    return Buffer.from(buffer, byteOffset + start, this.#offsets[i + 1]! - start).toString();
  }

  /** Salt ‖ body, a copy only where too little lies before the body. A bundle lies in one block of salts. */
  #salted(seq: number, start: number, end: number): Uint8Array {
    const salts = (this.#salts ??= this.#tables.salts.ofBlock(Math.floor(seq / blockSize)));
    const from = (seq % blockSize) * saltSize;
    const salted =
      start < saltSize
        ? Buffer.concat([new Uint8Array(saltSize), this.#bytes.subarray(start, end)])
        : this.#bytes.subarray(start - saltSize, end);
    for (let i = 0; i < saltSize; i++) salted[i] = salts[from + i]!;
    return salted;
  }
}
