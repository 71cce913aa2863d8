import type { Output } from "../actor/org-actor.ts";
import type { PartQuery } from "../actor/verify-host.ts";
import type { Dispatch, OrgDispatch } from "./dispatch.ts";

/** For fewer entries starting another thread is not worth it. */
const PART_MIN = 16_384;

/** What they are asked: a stretch; how far it verifies. */
export interface PartTable {
  part: { input: PartQuery; output: number };
}

export interface Verifiers {
  /** As many as may be at work at a time. */
  threads_max: number;
  start(threads: number): Dispatch<PartTable>;
  part_min?: number;
}

/**
 * The same organisations, whose long logs are verified on every core: by threads that read the file beside the one that writes
 * it, and live that long only. They verify one log at a time; others meanwhile, short ones always, and what they do not find
 * valid, are verified by the organisation's own thread: its word is what is told.
 */
export function onEveryCore(dispatch: Dispatch, { threads_max, start, part_min = PART_MIN }: Verifiers): OrgDispatch {
  let working: Dispatch<PartTable> | undefined;
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
      if (!(await inParts(org, span))) return dispatch.finish(org, "posture.verify", window);
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
  threads: Pick<Dispatch<PartTable>, "finish">,
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
    // Of no organisation in particular: the threads take turns.
    return threads.finish("", "part", { org, vkey, window });
  });
  return (await Promise.all(reached)).every((seq, part) => seq >= border(part + 1));
}
