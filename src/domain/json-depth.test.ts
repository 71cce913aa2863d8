import { expect, test } from "bun:test";
import { spentMs } from "../../test/spent.ts";
import { isDeeperThan, JSON_DEPTH_MAX } from "./json-depth.ts";

const nested = (open: string, close: string, levels: number) =>
  JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`) as unknown;

test.each([
  ["[", "]"],
  ['{"a":', "}"],
  ['[{"__proto__":', "}]"],
])("levels are counted through %s…%s", (open, close) => {
  const each = open.length - open.replaceAll(/[[{]/g, "").length;
  expect(isDeeperThan(nested(open, close, 6), 6 * each)).toBe(false);
  expect(isDeeperThan(nested(open, close, 6), 6 * each - 1)).toBe(true);
});

test("what is hostile is told at once", () => {
  const told = () => expect(isDeeperThan(nested("[", "]", 40_000), JSON_DEPTH_MAX)).toBe(true);
  expect(spentMs(told)).toBeLessThan(2_000);
});

test("plain values have no depth", () => {
  for (const value of [null, 1, "x", true, undefined]) expect(isDeeperThan(value, 0)).toBe(false);
  expect(isDeeperThan([], 0)).toBe(true);
});
