const LOOK_MS = 500;

export const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** Does `work` at once, then every half second for so long, and a last time at the end. */
export async function linger(work: () => Promise<unknown>, stay_ms: number, now = Date.now, pause = sleep) {
  const end = now() + stay_ms;
  for (;;) {
    await work();
    const left_ms = end - now();
    if (left_ms <= 0) return;
    await pause(Math.min(LOOK_MS, left_ms));
  }
}
