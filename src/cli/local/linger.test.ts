import { expect, test } from "bun:test";
import { linger } from "./linger.ts";

/** When it works, if each piece of work takes `work_ms`. */
async function times(stay_ms: number, work_ms: number): Promise<number[]> {
  let now_ms = 1_000;
  const worked: number[] = [];
  const work = async () => {
    worked.push(now_ms - 1_000);
    now_ms += work_ms;
  };
  await linger(
    work,
    stay_ms,
    () => now_ms,
    async ms => void (now_ms += ms),
  );
  return worked;
}

test("works every half second while it stays, and once more at the end: the last call need not wait", async () => {
  expect(await times(1_200, 0)).toEqual([0, 500, 1_000, 1_200]);
  expect(await times(1_200, 300)).toEqual([0, 800, 1_200]);
});

test("works once where it need not stay, or the work took longer than that", async () => {
  expect(await times(0, 0)).toEqual([0]);
  expect(await times(1_000, 5_000)).toEqual([0]);
});

test("what goes wrong ends it", async () => {
  await expect(linger(() => Promise.reject(new Error("no")), 1_000)).rejects.toThrow("no");
});
