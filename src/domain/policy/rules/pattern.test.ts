import { expect, test } from "bun:test";
import { patternFault, wordTest } from "./pattern.ts";

test("words, globs and one RE2 in a list", () => {
  const fits = wordTest(["ns", "ns/*", "re:^name(space)?s?$"]);
  expect(["ns", "ns/shop", "namespaces", "pod"].map(fits)).toEqual([true, true, true, false]);
});

test("Windows words are compared without regard to case", () => {
  const fits = wordTest(["-Recurse", "HKLM:*", "re:^-enc"], true);
  expect(["-recurse", "hklm:\\x", "-EncodedCommand", "-e"].map(fits)).toEqual([true, true, true, false]);
});

test("a pattern RE2 cannot take is named", () => {
  expect(patternFault("re:(")).toContain("RE2");
  expect(patternFault("re:(?=x)")).toContain("RE2");
  expect(patternFault("(")).toBeUndefined();
});

test("texts that cannot match are told from those that may, in any case and beyond ASCII", () => {
  const fits = wordTest(["re:(?i)falcon|osqueryd", "re:^a\\.b"]);
  expect(["FALCON-sensor", "osquery", "a.bc", "aab", "o\u017fqueryd"].map(fits)).toEqual([
    true,
    false,
    true,
    false,
    true,
  ]);
});
