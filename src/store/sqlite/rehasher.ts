import type { ProvedEntry } from "../log.ts";
import { type Bundle, bodyOffsets } from "./bundles.ts";
import { takeRow } from "./chain.ts";
import { decisionOf, isState } from "./columns.ts";
import type { LeafColumns } from "./leaf-writer.ts";
import type { LogTables } from "./log-tables.ts";
import { blockSize, saltSize } from "./salts.ts";

/**
 * Recomputes the leaf hashes of one bundle in ascending order, from unpacked bodies of its own: each salt is written over
 * the end of the body before, which is hashed by then, so that nothing is copied. Throws what damaged storage makes it throw.
 */
export class Rehasher {
  readonly #tables: LogTables;
  readonly #bundle: Bundle;
  readonly #offsets: Uint32Array;
  /** Room for the first salt, then the bodies. */
  readonly #bytes: Uint8Array;
  readonly #row: LeafColumns = { seq: 0, ts: 0, kind: 0, agent: 0, flags: 0 };
  #salts: Uint8Array | undefined;

  constructor(tables: LogTables, bundle: Bundle) {
    this.#tables = tables;
    this.#bundle = bundle;
    this.#offsets = bodyOffsets(bundle.columns);
    const bodies = tables.bundles.unpack(bundle.first);
    this.#bytes = new Uint8Array(saltSize + bodies.length);
    this.#bytes.set(bodies, saltSize);
  }

  /** The leaf hash of the `i`-th entry, in place of the one before it in `hash`. */
  next(i: number, hash: Uint8Array): void {
    const { columns, first } = this.#bundle;
    const row = this.#row;
    takeRow(row, columns, i, first + i);
    const start = this.#offsets[i]!;
    const end = this.#offsets[i + 1]! + saltSize;
    if (end > this.#bytes.length) throw new Error("the bodies are shorter than their columns say");
    if (columns.length[i] === 0)
      return this.#tables.leaves.hashDigest(row, this.#bytes.subarray(start + saltSize, end), hash, hash);
    this.#putSalt(first + i, start);
    this.#tables.leaves.hash(row, this.#bytes.subarray(start, end), hash, hash);
  }

  /** The `i`-th entry as it was hashed; its body can be read until the next one is. */
  entry(i: number): ProvedEntry {
    const { columns, first } = this.#bundle;
    const { kinds, agents } = this.#tables;
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
      body: () => this.#body(i),
    };
  }

  #body(i: number): string | null {
    if (this.#bundle.columns.length[i] === 0) return null;
    const [start, end] = [this.#offsets[i]! + saltSize, this.#offsets[i + 1]! + saltSize];
    return Buffer.from(this.#bytes.buffer, start, end - start).toString();
  }

  /** A bundle lies in one block of salts. */
  #putSalt(seq: number, at: number): void {
    const salts = (this.#salts ??= this.#tables.salts.ofBlock(Math.floor(seq / blockSize)));
    const bytes = this.#bytes;
    const from = (seq % blockSize) * saltSize;
    for (let i = 0; i < saltSize; i++) bytes[at + i] = salts[from + i]!;
  }
}
