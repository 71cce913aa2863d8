import { expect, test } from "bun:test";
import { findings } from "../findings.ts";
import { nestedCalls } from "./nested.ts";

const reading = { tool: "fs.read_file", arguments: { path: "a.txt" } };
const deleting = { tool: "fs.delete_file", arguments: { path: "/etc" } };
const batch = (before: number) => ({ list: [...Array.from({ length: before }, () => reading), deleting] });

test.each([0, 20, 63])("a call behind %d others is read", before => {
  const { calls, complete } = nestedCalls(batch(before));
  expect([calls.length, calls.at(-1)?.tool, complete]).toEqual([before + 1, "fs.delete_file", true]);
});

test("a call behind many values that are none is read", () => {
  expect(nestedCalls({ note: Array.from({ length: 900 }, (_, n) => n), ...batch(1) }).calls).toHaveLength(2);
});

test("more calls than are read are a gap", () => {
  const args = batch(64);
  expect(nestedCalls(args).complete).toBe(false);
  const found = findings({ type: "mcp", server: "hub", tool: "batch", args });
  expect(found.gaps.map(({ why }) => why)).toContain("too_deep");
});
