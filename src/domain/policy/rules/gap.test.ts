import { expect, test } from "bun:test";
import { decide } from "../decide.ts";
import { compileRulebook } from "./compile.ts";
import type { Match } from "../verdict.ts";

const book = compileRulebook({ packs: [] });
const gapIn = (command: string): Match => decide({ type: "shell", command }, book, "enforce").matched[0]!;

test("an unknown program is named as it was written", () => {
  const { rule, reason, span, instead } = gapIn("true; $CMD -rf x");
  expect(rule).toBe("gate.unresolved-program");
  expect(reason).toBe("Which program would run cannot be told beforehand: `$CMD`.");
  expect(span).toEqual([6, 10]);
  expect(instead).toContain("in place of the variable");
});

test("a secret in what was not understood is not shown", () => {
  expect(gapIn("${X}AKIAABCDEFGHIJKLMNOP").reason).not.toContain("ABCDEFGHIJKLMNOP");
});

test("each kind of gap says what would help", () => {
  expect(gapIn('echo "a').instead).toContain("Close every quote");
  expect(gapIn("a\u202eb").instead).toContain("visible characters");
  expect(gapIn("a".repeat(40_000)).instead).toContain("file");
  expect(gapIn("a;".repeat(9_000)).instead).toContain("smaller calls");
  expect(gapIn(`${"$(".repeat(20)}a${")".repeat(20)}`).instead).toContain("innermost");
});
