import type { Answer } from "../../hooks/dialect.ts";

export interface Watch {
  /** By then there is an answer: the verdict, or what is said when there is none. */
  patience_ms: number;
  /** By then the process has ended, even where not so much could be said. */
  dead_ms: number;
  unanswered(why: Error): Promise<Answer>;
  die(): void;
}

/** `work`'s answer if it comes in time. The signal tells `work` that nobody waits for it any more. */
export function answerInTime(
  { patience_ms, dead_ms, unanswered, die }: Watch,
  work: (late: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const late = new AbortController();
  const overdue = Promise.withResolvers<never>();
  const giveUp = () => {
    late.abort();
    overdue.reject(new Error(`there was no verdict within ${patience_ms} ms`));
  };
  const timers = [setTimeout(giveUp, patience_ms), setTimeout(die, dead_ms)];
  return Promise.race([work(late.signal), overdue.promise])
    .catch(unanswered)
    .finally(() => timers.forEach(clearTimeout));
}
