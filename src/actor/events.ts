import { isUtf8 } from "node:buffer";
import { BATCH_EVENTS_MAX, type EventFault, judgedAs, readEvent } from "../domain/audit/event.ts";
import { isStateKind } from "../domain/audit/kinds.ts";
import { refusal } from "../errors.ts";
import { type Context, write } from "./answer.ts";
import { type Encoding, unpack } from "./unpack.ts";

export interface Batch {
  agent: string;
  media: "json" | "ndjson";
  encoding: Encoding;
  bytes: Uint8Array;
}

export interface Rejected {
  index: number;
  error: EventFault["error"] | "malformed_json";
  message: string;
}

/** `POST /events`: stored in one transaction; a bad event never costs its neighbours, a known id is counted and not stored. */
export const ingest = write((context, { agent, media, encoding, bytes }: Batch) => {
  const unpacked = unpack(bytes, encoding);
  const events = media === "ndjson" ? lines(unpacked) : documents(unpacked);
  if (events.length > BATCH_EVENTS_MAX) throw refusal("too_large", `A batch has at most ${BATCH_EVENTS_MAX} events.`);
  const rejected: Rejected[] = [];
  let duplicates = 0;
  events.forEach((raw, index) => {
    const outcome = store(context, agent, raw);
    if (outcome === "duplicate") duplicates++;
    else if (outcome !== "stored") rejected.push({ index, ...outcome });
  });
  const accepted = events.length - duplicates - rejected.length;
  if (rejected.length > 0 && rejected.length === events.length) throw refusal("rejected", { members: { rejected } });
  return () => {
    const { seq, hash } = context.store.log.head();
    return { accepted, duplicates, rejected, head: { seq, hash } };
  };
});

/** A line or member that is not JSON. */
const notJson = Symbol("not JSON");

function store(context: Context, agent: string, raw: unknown): "stored" | "duplicate" | Omit<Rejected, "index"> {
  if (raw === notJson) return { error: "malformed_json", message: "The line is not valid JSON." };
  const read = readEvent(raw, isStateKind);
  if ("fault" in read) return read.fault;
  const { event, body, facets } = read;
  const { type: kind, id, decision } = event;
  const repeats = judgedAs(event);
  const appended = context.store.log.append({
    stream: "telemetry",
    kind,
    agent,
    id,
    body,
    facets,
    decision,
    ...(repeats !== undefined && { repeats }),
  });
  return appended === "duplicate" ? "duplicate" : "stored";
}

const BYTE_ORDER_MARK = "\uFEFF";

/** Twice as fast as a fatal `TextDecoder`, which would also drop the mark. */
function textOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw refusal("malformed", "The body is not valid UTF-8.");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** One event, `{"events": […]}` or an array. */
function documents(bytes: Uint8Array): unknown[] {
  const whole = parse(textOf(bytes));
  if (whole === notJson) throw refusal("malformed_json");
  if (Array.isArray(whole)) return whole;
  const { events } = (whole ?? {}) as { events?: unknown };
  return Array.isArray(events) ? events : [whole];
}

/** NDJSON: one event a line, empty lines ignored. */
function lines(bytes: Uint8Array): unknown[] {
  const all = textOf(bytes).split("\n");
  const filled = all.filter(line => line.trim() !== "");
  if (filled.length > BATCH_EVENTS_MAX) throw refusal("too_large", `A batch has at most ${BATCH_EVENTS_MAX} events.`);
  return filled.map(parse);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return notJson;
  }
}
