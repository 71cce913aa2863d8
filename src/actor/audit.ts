import { Buffer } from "node:buffer";
import { csvHeader, csvRow } from "../domain/audit/csv.ts";
import { type OcsfProduct, toOcsf } from "../domain/audit/ocsf.ts";
import type { AuditRecord } from "../domain/audit/record.ts";
import { iso } from "../domain/time.ts";
import { refusal } from "../errors.ts";
import type { PageQuery, StoredEntry } from "../store/log.ts";
import { type Context, long, read } from "./answer.ts";
import { rangeOf, type Window } from "./posture.ts";

/** An entry as `/audit` shows it: the event, plus what the server added. An erased body leaves its columns. */
export function item(entry: StoredEntry): AuditRecord {
  const event: Pick<AuditRecord, "type"> & Record<string, unknown> =
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

export interface TailQuery {
  /** The last number seen. */
  after: number;
  limit: number;
  type?: string;
  agent_id?: string;
  decision?: string;
}

/** `GET /audit/stream`: what came after a number, oldest first; `reached` is where to go on, also when nothing fitted. */
export const tail = read(({ store }, { after, limit, type, agent_id, decision }: TailQuery) => {
  const to = Math.min(store.log.head().size, after + 1 + limit);
  const wanted = (entry: StoredEntry) =>
    (type === undefined || entry.kind === type) &&
    (agent_id === undefined || entry.agent === agent_id) &&
    (decision === undefined || entry.decision === decision);
  const entries = to > after + 1 ? [...store.log.read(after + 1, to)] : [];
  return { items: entries.filter(wanted).map(item), reached: Math.max(after, to - 1) };
});

/** The number of the newest entry, -1 for none. */
export const newest = read(({ store }, _: null) => store.log.head().seq);

/** `GET /audit/mcp-servers`: servers seen in calls, and whether any installation declares them. */
export const mcpServers = read(({ store }, { after, limit }: { after?: string; limit: number }) => {
  const declared = new Set(store.agents.declaredServers());
  return store.audit
    .mcpServers()
    .filter(server => after === undefined || server.name > after)
    .slice(0, limit)
    .map(({ tools, first_seen_ms, last_seen_ms, ...server }) => ({
      ...server,
      tools: tools.map(({ name, calls, last_seen_ms: seen }) => ({ name, calls, last_seen_at: iso(seen) })),
      first_seen_at: iso(first_seen_ms),
      last_seen_at: iso(last_seen_ms),
      declared: declared.has(server.name),
    }));
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

export type ExportFormat = "ndjson" | "ocsf" | "csv" | "leaves";

interface FilteredExport {
  format: Exclude<ExportFormat, "leaves">;
  product: OcsfProduct;
  /** As for `/audit`. */
  filter: PageQuery;
}
/** A chain has no gaps, so leaves know no filter but a window. */
export type ExportQuery = FilteredExport | { format: "leaves"; window: Window };

/** `GET /audit/export`: `leaves` are the exact leaf bytes, `ndjson` the items of `/audit`; one a line. */
export const exportLines = long(function* (context, query: ExportQuery) {
  yield* chunks(query.format === "leaves" ? leaves(context, query.window) : items(context, query));
  return null;
});

function leaves(context: Context, window: Window): Iterable<Uint8Array> {
  const { from, to } = rangeOf(context, window);
  return context.store.log.leaves(from, to);
}

/** Lines without their line feed. */
function* items({ store }: Context, { format, product, filter }: FilteredExport): Generator<Uint8Array | undefined> {
  if (format === "csv") yield encoder.encode(withoutFeed(csvHeader));
  for (const stored of store.log.search(filter)) {
    if (!stored) {
      yield undefined;
      continue;
    }
    const record = item(stored);
    if (format === "csv") yield encoder.encode(withoutFeed(csvRow(record)));
    else yield encoder.encode(JSON.stringify(format === "ocsf" ? toOcsf(record, product) : record));
  }
}

const withoutFeed = (line: string): string => line.slice(0, -1);

function* chunks(lines: Iterable<Uint8Array | undefined>): Generator<Uint8Array | undefined> {
  let buffer = new Uint8Array(CHUNK_BYTES);
  let length = 0;
  for (const line of lines) {
    if (!line) {
      yield undefined;
      continue;
    }
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
