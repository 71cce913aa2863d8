import type { Facets } from "../domain/audit/facets.ts";
import type { LogHead } from "../domain/audit/leaf.ts";
import type { Decision } from "../domain/policy/verdict.ts";

/**
 * The log port: what an organisation's log can do, whichever engine keeps it. Appending happens inside
 * `OrgStore.commit`; everything else may be called at any time and sees committed entries only.
 */
export interface Log {
  /** The newest sealed entry. */
  head(): Head;
  /** Lowercase hex root of the RFC 6962 tree of the first `size` entries (default: all). */
  root(size?: number): string;
  /** Buffers one entry for the open commit. `duplicate`: this agent has sent this id before; nothing is stored. */
  append(entry: NewEntry): Appended | "duplicate";
  /** Entries `[from, to)` in order, unpacked bundle by bundle; `mentioning`: only those whose body holds that text, byte for byte. */
  read(from?: number, to?: number, mentioning?: string): Iterable<StoredEntry>;
  entry(seq: number): StoredEntry | undefined;
  page(query: PageQuery): Page;
  /**
   * Everything the query matches, oldest first unless it says otherwise; `limit` and `cursor` do not count. Yields undefined
   * now and then, so that a long search can make room for others.
   */
  search(query: PageQuery): Iterable<StoredEntry | undefined>;
  /** The first seq received at or after `ts_ms` (the log's size when there is none). */
  seqAt(ts_ms: number): number;
  /** The exact leaf with what its digest was made of; `salt` and `body` are null once erased. */
  leaf(seq: number): LeafRecord | undefined;
  /** The exact leaf bytes of `[from, to)`, for an export that outsiders verify. */
  leaves(from?: number, to?: number): Iterable<Uint8Array>;
  /**
   * Recomputes every hash of `[from, to)` from what is stored. Yields the seq reached after each slice, so that a
   * long run can make room for others; returns the verdict. Never throws on a damaged file; the engine's error when the disk fails.
   */
  verify(window?: VerifyWindow): Generator<number, Verification>;
  /** Can the log account for a head someone else has seen? `ahead`: longer than the log. `differs`: another history. */
  compare(head: LogHead): "known" | "ahead" | "differs";
  /**
   * The newest C2SP signed note; it covers `head().size`, signing afresh when it lags. A frozen log signs nothing: it gives
   * the last note it signed, or throws refusal `read_only`.
   */
  checkpoint(): string;
  /** RFC 6962 inclusion proof of `seq` in the tree of `size` entries (default: the checkpoint's). */
  proof(seq: number, size?: number): InclusionProof;
  /** RFC 6962 consistency proof: base64 hashes. */
  consistency(from: number, to?: number): string[];
  /** Erases bodies (and their salts) of telemetry received before `before_ms`; leaves stay. Yields after each bundle. */
  eraseBodies(where: { before_ms: number }): Generator<number, number>;
  /** Erases one body, whatever stream it is of: a leaked secret. False when there is none. Inside `commit`. */
  eraseBody(seq: number): boolean;
  /** One short step of idle work, outside `commit`: merges small bundles, forgets expired ids. False when nothing is left to do. */
  tidy(): boolean;
}

/** `telemetry`: reported by agents; redacted, and erased by retention. `state`: changes the organisation; kept as given, and projected. */
export type Stream = "telemetry" | "state";

export interface NewEntry {
  stream: Stream;
  /** `[a-z0-9._-]+`, at most 128: an event's `type` or the name of a change (`member.invited`). */
  kind: string;
  /** JSON, not empty. */
  body: string;
  agent?: string;
  decision?: Decision | undefined;
  /** The client's id; exact de-duplication by (agent, id). */
  id?: string;
  /** The id of another entry: where this agent has sent it, this one is the echo of that. */
  repeats?: string;
  /** What statistics and filters ask for without unpacking the body. */
  facets?: Facets;
}

export interface Appended {
  seq: number;
  /** Unix ms of receipt; never goes back. */
  ts: number;
}

export interface Head extends LogHead {
  /** Entries in the log; `seq` is `size - 1`. */
  size: number;
  /** Of the last entry; 0 when empty. */
  ts: number;
}

export interface Entry {
  seq: number;
  /** Unix ms of receipt. */
  ts: number;
  stream: Stream;
  kind: string;
  agent?: string;
  decision?: Decision;
}

export interface StoredEntry extends Entry {
  facets: Facets;
  /** Hex leaf hash. */
  hash: string;
  /** The stored bytes as text; null once erased. */
  body: string | null;
}

export interface LeafRecord {
  leaf: Uint8Array;
  hash: string;
  salt: Uint8Array | null;
  body: Uint8Array | null;
}

export interface PageQuery {
  /** Received at or after, before: Unix ms. */
  from_ms?: number;
  to_ms?: number;
  kind?: string;
  agent?: string;
  decision?: Decision;
  rule?: string;
  client?: string;
  session_id?: string;
  /** Text that occurs in the stored body, ASCII case ignored. */
  q?: string;
  stream?: Stream;
  /** `desc` (newest first) unless said. */
  order?: "asc" | "desc";
  limit?: number;
  /** `next` of the page before. */
  cursor?: string;
}

export interface Page {
  entries: StoredEntry[];
  /** Null at the end. A page may be short, even empty, and still have a next one: searching bodies stops after a while. */
  next: string | null;
}

export interface VerifyWindow {
  from?: number;
  to?: number;
  /** About so many entries between two yields; default 1,024. */
  slice?: number;
  /** Told every entry, in order, once its hash has been recomputed from what is stored and is the one of the chain. */
  proved?: (entry: ProvedEntry) => void;
  /** Are the other tables of the file looked at, too (one long step a table)? Unless said: with a window that is the whole log. */
  tables?: boolean;
}

/** Lent for the time of the call: nothing in it comes from beside the leaves. */
export interface ProvedEntry extends Entry {
  /** Null once erased. */
  body(): string | null;
}

export interface Verification {
  valid: boolean;
  from: number;
  to: number;
  /** Entries recomputed. */
  count: number;
  head: LogHead;
  first_break?: Break;
}

export interface Break {
  seq: number;
  expected: string;
  found: string;
}

export interface InclusionProof {
  seq: number;
  size: number;
  leaf_hash: string;
  /** Base64, lowest level first. */
  hashes: string[];
  /** The newest signed note whose tree the proof is for; null for another size. */
  checkpoint: string | null;
}
