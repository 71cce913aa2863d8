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
export async function answerInTime(
  { patience_ms, dead_ms, unanswered, die }: Watch,
  work: (late: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const late = new AbortController();
  const overdue = new Promise<Error>(resolve => {
    late.signal.addEventListener("abort", () => resolve(new Error(`there was no verdict within ${patience_ms} ms`)));
  });
  const timers = [setTimeout(() => late.abort(), patience_ms), setTimeout(die, dead_ms)];
  try {
    const answer = await Promise.race([work(late.signal).catch((error: Error) => error), overdue]);
    return answer instanceof Error ? await unanswered(answer) : answer;
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}
