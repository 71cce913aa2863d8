import { refusal } from "../errors.ts";

/** Requests of one address that have not been answered yet, long answers until they end: bounded, so that one cannot take all. */
export interface UnderWay {
  /** Counts one; gives back how to count it off again, which may be called twice. Throws `rate_limited` past the limit. */
  enter(ip: string): () => void;
}

const nothing = () => {};

/** This machine is not counted: what comes from it is mostly a proxy that was not declared. */
const isLoopback = (ip: string) => ip === "::1" || ip.startsWith("127.");

export function createUnderWay(limit: number, keyOf: (ip: string) => string): UnderWay {
  const counts = new Map<string, number>();
  const leave = (key: string) => {
    const left = counts.get(key)! - 1;
    if (left === 0) counts.delete(key);
    else counts.set(key, left);
  };
  return {
    enter(ip) {
      if (isLoopback(ip)) return nothing;
      const key = keyOf(ip);
      const count = counts.get(key) ?? 0;
      if (count >= limit)
        throw refusal("rate_limited", {
          message: `At most ${limit} requests of one address at a time.`,
          retry_after_s: 1,
        });
      counts.set(key, count + 1);
      let under_way = true;
      return () => {
        if (under_way) leave(key);
        under_way = false;
      };
    },
  };
}

/** Calls `done` once the body has ended, failed or been given up by the client. */
export function whenSent(response: Response, done: () => void): Response {
  if (!response.body) return (done(), response);
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done: ended, value } = await reader.read();
        if (!ended) return controller.enqueue(value);
        done();
        controller.close();
      } catch (error) {
        done();
        controller.error(error);
      }
    },
    cancel(reason) {
      done();
      return reader.cancel(reason);
    },
  });
  const { status, headers } = response;
  return new Response(body, { status, headers });
}
