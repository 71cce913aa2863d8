import { expect, test } from "bun:test";
import { patternFault } from "./pattern.ts";

test("a pattern RE2 cannot take is named", () => {
  expect(patternFault("re:(")).toContain("RE2");
  expect(patternFault("re:(?=x)")).toContain("RE2");
  expect(patternFault("(")).toBeUndefined();
});
