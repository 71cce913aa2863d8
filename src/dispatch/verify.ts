import type { Output, Question } from "../actor/org-actor.ts";
import type { PartQuery } from "../actor/verify-host.ts";
import type { Dispatch } from "./dispatch.ts";

/** For fewer entries starting another thread is not worth it. */
const PART_MIN = 16_384;

export interface Verifiers {
  /** As many as may be at work at a time. */
  threads_max: number;
  start(threads: number): Dispatch;
  part_min?: number;
}

/**
 * The same organisations, whose long logs are verified on every core: by threads that read the file beside the one that writes
 * it, and live that long only. They verify one log at a time; others meanwhile, short ones always, and what they do not find
 * valid, are verified by the organisation's own thread: its word is what is told.
 */
export function onEveryCore(dispatch: Dispatch, { threads_max, start, part_min = PART_MIN }: Verifiers): Dispatch {
  let working: Dispatch | undefined;
  const inParts = async (org: string, span: Output<"posture.span">): Promise<boolean> => {
    const parts = Math.min(threads_max, Math.floor((span.to - span.from) / part_min));
    if (working || parts < 2) return false;
    const threads = (working = start(parts));
    try {
      return await verifyParts(threads, parts, org, span);
    } catch {
      return false;
    } finally {
      void threads.close().finally(() => (working = undefined));
    }
  };
  return {
    ...dispatch,
    async verify(org, window) {
      const span = await dispatch.ask(org, "posture.span", window);
      if (!(await inParts(org, span))) return dispatch.verify(org, window);
      const { from, to, head } = span;
      const checkpoint = await dispatch.ask(org, "posture.checkpoint", null);
      return { valid: true, from, to: to - 1, count: to - from, head, checkpoint };
    },
    async close() {
      await Promise.all([working?.close(), dispatch.close()]);
    },
  };
}

/** Each thread one stretch. They overlap by an entry: none may be older than the one before it. */
export async function verifyParts(
  threads: Pick<Dispatch, "finish">,
  parts: number,
  org: string,
  { from, to, head, vkey }: Output<"posture.span">,
): Promise<boolean> {
  const border = (part: number) => from + Math.floor(((to - from) * part) / parts);
  const isEnd = to === head.seq + 1;
  const reached = Array.from({ length: parts }, (_, part) => {
    const isLast = part === parts - 1;
    const window: PartQuery["window"] = {
      from: Math.max(from, border(part) - 1),
      tables: isLast && isEnd && from === 0,
      // The end of the log may have moved on meanwhile: whoever verifies it goes there.
      ...(isLast && isEnd ? {} : { to: border(part + 1) }),
    };
    return ask(threads, { org, vkey, window });
  });
  return (await Promise.all(reached)).every((seq, part) => seq >= border(part + 1));
}

/** Of no organisation in particular: the threads take turns. */
const ask = (threads: Pick<Dispatch, "finish">, query: PartQuery): Promise<number> =>
  threads.finish("", "part" as unknown as Question, query as never) as Promise<unknown> as Promise<number>;
