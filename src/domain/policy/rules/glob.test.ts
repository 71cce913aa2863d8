import { expect, test } from "bun:test";
import fc from "fast-check";
import { spentMs } from "../../../../test/spent.ts";
import { Glob, isGlob, unescaped } from "./glob.ts";

const cases: [glob: string, text: string, fits: boolean][] = [
  ["--env=prod*", "--env=production", true],
  ["--env=prod*", "--env=stage", false],
  ["*/shop", "acme/shop", true],
  ["*/shop", "acme/shop2", false],
  ["-v=/:*", "-v=/:/host/dir", true],
  ["a*b*c", "a-b-b-c", true],
  ["a*b*c", "acb", false],
  ["ab*ba", "aba", false],
  ["*", "", true],
  ["a\\**", "a*x", true],
  ["a\\**", "ax", false],
];
for (const [glob, text, fits] of cases) {
  test(`${glob} ${fits ? "takes" : "refuses"} ${text}`, () => expect(new Glob(glob).fits(text)).toBe(fits));
}

test("a star that is meant as a star", () => {
  expect(isGlob("a\\*b")).toBe(false);
  expect(unescaped("a\\*b")).toBe("a*b");
});

test("agrees with the slow definition of a star", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
  const slow = (glob: string, text: string): boolean =>
    glob === ""
      ? text === ""
      : glob[0] === "*"
        ? slow(glob.slice(1), text) || (text !== "" && slow(glob, text.slice(1)))
        : text !== "" && text[0] === glob[0] && slow(glob.slice(1), text.slice(1));
  fc.assert(
    fc.property(piece, fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 }), (glob, text) => {
      fc.pre(isGlob(glob));
      expect(new Glob(glob).fits(text)).toBe(slow(glob, text));
    }),
    { numRuns: 2000 },
  );
});

test("stays quick where backtracking would not", () => {
  expect(spentMs(() => new Glob("a*a*a*a*a*a*a*a*b").fits("a".repeat(20_000)))).toBeLessThan(100);
});
