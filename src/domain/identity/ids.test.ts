import { expect, test } from "bun:test";
import fc from "fast-check";
import { createIds, isId } from "./ids.ts";

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

test("an id is its prefix and a UUIDv7 that carries the time", () => {
  const id = createIds(() => 1_700_000_000_123, random)("org");
  expect(isId("org", id)).toBe(true);
  expect(isId("usr", id)).toBe(false);
  expect(Number.parseInt(id.slice(4).replaceAll("-", "").slice(0, 12), 16)).toBe(1_700_000_000_123);
});

test("ids of one maker only grow, whatever the clock does", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 2, maxLength: 60 }), times => {
      const clock = times.values();
      const make = createIds(() => 1_700_000_000_000 + clock.next().value!, random);
      const ids = times.map(() => make("ses"));
      expect(ids).toEqual([...new Set(ids)].sort());
    }),
  );
});

test("ten thousand in one millisecond stay valid and different", () => {
  const make = createIds(() => 5, random);
  const ids = Array.from({ length: 10_000 }, () => make("dec"));
  expect(new Set(ids).size).toBe(10_000);
  expect(ids.every(id => isId("dec", id))).toBe(true);
});
