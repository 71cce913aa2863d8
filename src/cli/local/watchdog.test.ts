import { expect, test } from "bun:test";
import type { Answer } from "../../hooks/dialect.ts";
import { answerInTime, type Watch } from "./watchdog.ts";

const answer: Answer = { stdout: "{}\n", stderr: "", exit: 0 };
const refusal: Answer = { stdout: "", stderr: "no", exit: 2 };
const never = new Promise<Answer>(() => undefined);

function watch(change: Partial<Watch> = {}) {
  const why: string[] = [];
  let died = 0;
  const made: Watch = {
    patience_ms: 20,
    dead_ms: 60,
    unanswered: async error => (why.push(error.message), refusal),
    die: () => void died++,
    ...change,
  };
  return { watch: made, why, died: () => died };
}

test("an answer in time is given, and nothing is left that could end the process later", async () => {
  const { watch: one, why, died } = watch();
  expect(await answerInTime(one, async () => answer)).toBe(answer);
  await Bun.sleep(80);
  expect([why, died()]).toEqual([[], 0]);
});

test("without an answer in time there is a refusal, and who was asked is told to give up", async () => {
  const { watch: one, why, died } = watch({ dead_ms: 60_000 });
  const started = performance.now();
  let given_up = false;
  const late = await answerInTime(one, signal => {
    signal.addEventListener("abort", () => void (given_up = true));
    return never;
  });
  expect(late).toBe(refusal);
  expect(performance.now() - started).toBeGreaterThanOrEqual(19);
  expect([given_up, why, died()]).toEqual([true, ["there was no verdict within 20 ms"], 0]);
});

test("what goes wrong on the way is a refusal that says what", async () => {
  const { watch: one, why } = watch();
  const failing = () => Promise.reject(new Error("the disk is gone"));
  expect(await answerInTime(one, failing)).toBe(refusal);
  expect(why).toEqual(["the disk is gone"]);
});

test("where not even a refusal can be made, the process ends", async () => {
  const ended = new Promise<number>(resolve => {
    const started = performance.now();
    const { watch: one } = watch({ unanswered: () => never, die: () => resolve(performance.now() - started) });
    void answerInTime(one, () => never);
  });
  expect(await ended).toBeGreaterThanOrEqual(59);
});
