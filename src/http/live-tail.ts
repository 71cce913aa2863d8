import { refusal } from "../errors.ts";
import type { Parts } from "./parts.ts";
import { orgOf, visitOf } from "./visit.ts";

export interface TailFilter {
  type?: string;
  agent_id?: string;
  decision?: string;
}

const POLL_MS = 500;
/** Often enough that proxies keep the connection. */
const COMMENT_MS = 15_000;
const BATCH = 500;
const encoder = new TextEncoder();

/**
 * The log as it grows, as server-sent events (HTML, §9.2): `id` is the entry's number, so that a client that comes back
 * with `Last-Event-ID` misses nothing; without one the tail begins now. Asks only while the client is reading.
 */
export function liveTail({ dispatch, closing }: Parts, request: Request, filter: TailFilter): Response {
  const org = orgOf(request);
  const resumed = lastEventId(request);
  const { recheck } = visitOf(request);
  const ended = AbortSignal.any([closing, request.signal]);
  async function* lines(): AsyncGenerator<string> {
    // A number the log has not reached, as after a restore, would wait for entries it must not leave out.
    const newest = await dispatch.ask(org, "audit.newest", null);
    let after = Math.min(resumed ?? newest, newest);
    let quiet_ms = 0;
    yield `retry: 2000\nid: ${after}\n\n`;
    while (!ended.aborted) {
      await recheck?.();
      const { items, reached } = await dispatch.ask(org, "audit.tail", { ...filter, after, limit: BATCH });
      const grown = reached > after;
      after = reached;
      for (const item of items) yield `id: ${item.seq}\nevent: entry\ndata: ${JSON.stringify(item)}\n\n`;
      quiet_ms = items.length > 0 ? 0 : quiet_ms + POLL_MS;
      if (quiet_ms >= COMMENT_MS) yield `: still here\nid: ${after}\n\n`;
      if (quiet_ms >= COMMENT_MS) quiet_ms = 0;
      if (!grown) await pause(ended);
    }
  }
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" };
  return new Response(streamOf(lines()), { headers });
}

/** A refusal in the middle (a worker is being replaced, the caller has signed out) ends the stream; the client comes back by itself. */
function streamOf(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const next = await lines.next().catch(() => ({ done: true as const, value: undefined }));
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}

function lastEventId(request: Request): number | undefined {
  const sent = request.headers.get("last-event-id");
  if (sent === null || sent === "") return undefined;
  if (!/^(-1|\d{1,15})$/.test(sent)) throw refusal("malformed", "Last-Event-ID must be the number of an entry.");
  return Number(sent);
}

function pause(ended: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer);
      ended.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, POLL_MS);
    ended.addEventListener("abort", done);
  });
}
