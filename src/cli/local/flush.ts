import { gzipSync } from "node:zlib";
import type { Client, EventsReply } from "../../client/api.ts";
import type { Spool } from "./spool.ts";

export interface Flushed {
  sent: number;
  /** Not valid for the server: told, and not sent again, or one bad event would hold up all others. */
  rejected: number;
  left: number;
}

const batchBytesMax = 4 * 1024 * 1024;
/** Two flushes at a time would only send everything twice; one that died frees the place after this. */
const turn_ms = 30_000;

/** Sends what waits, oldest first, in batches, until nothing is left or the server cannot take more. Throws `ApiError`. */
export async function flush(
  spool: Spool,
  client: Pick<Client, "events">,
  batch_max: number,
  now: () => number,
): Promise<Flushed> {
  const total: Flushed = { sent: 0, rejected: 0, left: 0 };
  if (!spool.claim("flushing", now(), turn_ms)) return { ...total, left: spool.depth() };
  try {
    tellDropped(spool, now());
    for (;;) {
      const { upto, lines } = spool.batch(batch_max, batchBytesMax);
      if (lines.length === 0) return total;
      const reply = await client.events(gzipSync(`{"events":[${lines.join(",")}]}`)).catch(allRejected(lines.length));
      spool.acknowledge(upto);
      if (reply.head) spool.set("head", JSON.stringify(reply.head));
      total.sent += reply.accepted + reply.duplicates;
      total.rejected += reply.rejected.length;
      spool.set("flushing", String(now()));
    }
  } finally {
    spool.set("flushing", "0");
  }
}

type Outcome = Omit<EventsReply, "head"> & { head?: EventsReply["head"] };

/** 422 `rejected`: not one event of the batch was valid. Everything else is not about the events. */
const allRejected =
  (count: number) =>
  (error: unknown): Outcome => {
    const { status, code } = error as { status?: number; code?: string };
    if (status !== 422 || code !== "rejected") throw error;
    const rejected = Array.from({ length: count }, (_, index) => ({ index, error: "invalid", message: "" }));
    return { accepted: 0, duplicates: 0, rejected };
  };

function tellDropped(spool: Spool, now_ms: number): void {
  const count = spool.takeDropped();
  if (count === 0) return;
  spool.add({
    id: `spool-dropped:${now_ms}`,
    time: new Date(now_ms).toISOString(),
    type: "spool.dropped",
    ...{ attributes: { count } },
  });
}
