import { Buffer } from "node:buffer";
import { iso } from "../domain/time.ts";
import { refusal } from "../errors.ts";
import type { PageQuery, StoredEntry } from "../store/log.ts";
import { type Context, long, read } from "./answer.ts";

/** An entry as `/audit` shows it: the event, plus what the server added. An erased body leaves its columns. */
export function item(entry: StoredEntry) {
  const event: Record<string, unknown> =
    entry.body === null ? { type: entry.kind, erased: true } : JSON.parse(entry.body);
  return {
    ...event,
    seq: entry.seq,
    received_at: iso(entry.ts),
    agent_id: entry.agent ?? null,
    ...(entry.decision ? { decision: entry.decision } : {}),
    hash: entry.hash,
  };
}

export const page = read(({ store }, query: PageQuery) => {
  const { entries, next } = store.log.page(query);
  return { items: entries.map(item), next_cursor: next };
});

export const entry = read(({ store }, { seq }: { seq: number }) => {
  const stored = store.log.entry(seq);
  const record = stored && store.log.leaf(seq);
  if (!record) throw refusal("not_found", "There is no entry with that number.");
  const base64 = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString("base64");
  const body = record.body && Buffer.from(record.body).toString();
  return { ...item(stored), leaf: Buffer.from(record.leaf).toString(), salt: base64(record.salt), body };
});

export interface StatsQuery {
  from_ms?: number;
  to_ms?: number;
  bucket?: "hour" | "day";
}

export const stats = read(({ store }, query: StatsQuery) => {
  const { series, ...totals } = store.audit.stats(query);
  return {
    ...totals,
    series: series.map(({ t, total, ALLOW, WARN, ASK, BLOCK }) => ({
      t: iso(t),
      total,
      allow: ALLOW,
      warn: WARN,
      ask: ASK,
      block: BLOCK,
    })),
  };
});

const encoder = new TextEncoder();
/** Bytes gathered before a chunk is sent. */
const CHUNK_BYTES = 64 * 1024;

/** `GET /audit/export`: `leaves` are the exact leaf bytes, `ndjson` the items of `/audit`; one a line. */
export const exportLines = long(function* (
  context,
  { format, from, to }: { format: "leaves" | "ndjson"; from?: number; to?: number },
) {
  yield* chunks(format === "leaves" ? context.store.log.leaves(from, to) : items(context, from, to));
  return null;
});

function* items({ store }: Context, from?: number, to?: number): Generator<Uint8Array> {
  for (const stored of store.log.read(from, to)) yield encoder.encode(JSON.stringify(item(stored)));
}

function* chunks(lines: Iterable<Uint8Array>): Generator<Uint8Array | undefined> {
  let buffer = new Uint8Array(CHUNK_BYTES);
  let length = 0;
  for (const line of lines) {
    if (length + line.byteLength + 1 > buffer.byteLength) {
      if (length > 0) yield buffer.subarray(0, length);
      buffer = new Uint8Array(Math.max(CHUNK_BYTES, line.byteLength + 1));
      length = 0;
    }
    buffer.set(line, length);
    buffer[length + line.byteLength] = 10;
    length += line.byteLength + 1;
  }
  if (length > 0) yield buffer.subarray(0, length);
}
