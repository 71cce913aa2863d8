import { refusal } from "../errors.ts";

/** Requests of one address that have not been answered yet, long answers until they end: bounded, so that one cannot take all. */
export interface UnderWay {
  /** Counts one; gives back how to count it off again, which may be called twice. Throws `rate_limited` past the limit. */
  enter(visitor: Visitor): () => void;
}

interface Visitor {
  readonly ip: string;
}

interface Entered {
  visitor: Visitor;
  left: boolean;
  /** Under which it is counted; undefined for this machine, and while nobody has asked. */
  key?: string;
}

/** This machine is not counted: what comes from it is mostly a proxy that was not declared. */
const isLoopback = (ip: string) => ip === "::1" || ip.startsWith("127.");

/** While no more than `limit` are under way in all, nobody can be past it: only then is it asked whose they are. */
export function createUnderWay(limit: number, keyOf: (ip: string) => string): UnderWay {
  const unasked = new Set<Entered>();
  const counts = new Map<string, number>();
  let total = 0;
  const ask = (entered: Entered) => {
    unasked.delete(entered);
    if (isLoopback(entered.visitor.ip)) return 0;
    entered.key = keyOf(entered.visitor.ip);
    const count = (counts.get(entered.key) ?? 0) + 1;
    counts.set(entered.key, count);
    return count;
  };
  const leave = (entered: Entered) => {
    if (entered.left) return;
    entered.left = true;
    total--;
    unasked.delete(entered);
    if (entered.key === undefined) return;
    const left = counts.get(entered.key)! - 1;
    if (left === 0) counts.delete(entered.key);
    else counts.set(entered.key, left);
  };
  const check = (entered: Entered) => {
    for (const before of unasked) ask(before);
    if (ask(entered) <= limit) return;
    leave(entered);
    throw refusal("rate_limited", { message: `At most ${limit} requests of one address at a time.`, retry_after_s: 1 });
  };
  return {
    enter(visitor) {
      const entered: Entered = { visitor, left: false };
      if (++total > limit) check(entered);
      else unasked.add(entered);
      return () => leave(entered);
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
