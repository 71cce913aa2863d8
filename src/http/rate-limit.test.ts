import { expect, test } from "bun:test";
import fc from "fast-check";
import { Refusal } from "../errors.ts";
import { createRateLimit } from "./rate-limit.ts";

const taken = (take: () => unknown): boolean => {
  try {
    take();
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "rate_limited") return false;
    throw error;
  }
};

test("in no window of a minute do more than twice the quota pass, and never more than the quota at once", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20_000), { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (steps, quota) => {
      let now = 0;
      const limit = createRateLimit("t", quota, 60, () => now);
      const passed: number[] = [];
      for (const step of steps) {
        now += step;
        if (taken(() => limit.take("a"))) passed.push(now);
      }
      for (const start of passed)
        expect(passed.filter(at => at >= start && at < start + 60_000).length).toBeLessThanOrEqual(quota * 2);
      for (const at of passed) expect(passed.filter(other => other === at).length).toBeLessThanOrEqual(quota);
    }),
  );
});

test("one key does not cost another", () => {
  const limit = createRateLimit("t", 1, 60, () => 0);
  limit.take("a");
  expect(taken(() => limit.take("a"))).toBe(false);
  expect(taken(() => limit.take("b"))).toBe(true);
});

test("a refusal says what the quota is and when it starts anew, as every reply does", () => {
  const limit = createRateLimit("t", 1, 60, () => 15_000);
  expect(limit.take("a")).toEqual({ "ratelimit-policy": '"t";q=1;w=60', ratelimit: '"t";r=0;t=45' });
  try {
    limit.take("a");
    expect.unreachable();
  } catch (error) {
    expect((error as Refusal).extra).toMatchObject({
      retry_after_s: 45,
      headers: { "ratelimit-policy": '"t";q=1;w=60', ratelimit: '"t";r=0;t=45' },
    });
  }
});

test("20,000 keys are counted at a time, the least recent is forgotten first", () => {
  const limit = createRateLimit("x", 1, 60, () => 0);
  limit.take("first");
  for (let key = 0; key < 19_999; key++) limit.take(`key-${key}`);
  expect(() => limit.take("first")).toThrow();
  limit.take("one more");
  limit.take("key-0");
  expect(() => limit.take("first")).toThrow();
});
