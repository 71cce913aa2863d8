import { expect, test } from "bun:test";
import fc from "fast-check";
import { type DeviceGrant, decide, newGrant, poll } from "./device-grant.ts";

type Step = { wait_ms: number; does: "poll" | "approve" | "deny" };
const steps = fc.array(
  fc.record({
    wait_ms: fc.oneof(fc.integer({ min: 0, max: 12_000 }), fc.integer({ min: 0, max: 700_000 })),
    does: fc.constantFrom<Step["does"]>("poll", "poll", "poll", "approve", "deny"),
  }),
  { maxLength: 40 },
);

test("pending, then slow_down with five seconds more for good, then the token", () => {
  let grant = newGrant(0);
  const at = (now: number) => {
    const answer = poll(grant, now);
    grant = answer.grant;
    return [answer.reply, grant.interval_s] as const;
  };
  expect(at(0)).toEqual(["authorization_pending", 5]);
  expect(at(4_999)).toEqual(["slow_down", 10]);
  expect(at(10_000)).toEqual(["slow_down", 15]);
  expect(at(25_000)).toEqual(["authorization_pending", 15]);
  grant = decide(grant, "approve", 26_000)!;
  expect(at(26_000)).toEqual(["granted", 15]);
});

test("nobody decides twice, nor after the end", () => {
  const grant = newGrant(0);
  expect(decide(decide(grant, "deny", 1)!, "approve", 2)).toBeUndefined();
  expect(decide(grant, "approve", 599_999)).toBeDefined();
  expect(decide(grant, "approve", 600_000)).toBeUndefined();
});

test("whatever happens in whatever order, a token is given only to an approved grant in its time", () => {
  fc.assert(
    fc.property(steps, list => {
      let grant: DeviceGrant = newGrant(0);
      let now = 0;
      let answer: Step["does"] | undefined;
      let allowed_at = 0;
      for (const step of list) {
        now += step.wait_ms;
        if (step.does !== "poll") {
          const next = decide(grant, step.does, now);
          expect(next !== undefined).toBe(answer === undefined && now < 600_000);
          if (next) [grant, answer] = [next, step.does];
          continue;
        }
        const told = poll(grant, now);
        if (now >= 600_000) expect(told.reply).toBe("expired_token");
        else if (answer === "approve") expect(told.reply).toBe("granted");
        else if (answer === "deny") expect(told.reply).toBe("access_denied");
        else expect(told.reply).toBe(now < allowed_at ? "slow_down" : "authorization_pending");
        expect(told.grant.interval_s).toBe(grant.interval_s + (told.reply === "slow_down" ? 5 : 0));
        grant = told.grant;
        if (told.reply === "slow_down" || told.reply === "authorization_pending")
          allowed_at = now + grant.interval_s * 1000;
      }
    }),
  );
});
