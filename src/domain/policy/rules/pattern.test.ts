import { expect, test } from "bun:test";
import { patternFault, requiredLiteral, wordTest } from "./pattern.ts";

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

const literals: [source: string, literal: string][] = [
  ["(^|[=\\s])(/usr)?/bin/(ba|da)?sh\\b", ""],
  ["^/bin/sh$", "/bin/sh"],
  ["ab?cde*f", "cd"],
  ["a\\.b+c", "a.b"],
  ["[abc]xyz{2}", "xy"],
  ["(?i)abc", ""],
  ["x{2,3}yz", "yz"],
  ["\\d+abc", "abc"],
];
for (const [source, literal] of literals) {
  test(`every match of ${source} holds "${literal}"`, () => expect(requiredLiteral(source)).toBe(literal));
}
