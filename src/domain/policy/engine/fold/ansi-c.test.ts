import { expect, test } from "bun:test";
import { decodeEscapes } from "./ansi-c.ts";

test.each([
  ["\\x72\\x6d", "rm"],
  ["\\x{72}\\x{6d}", "rm"],
  ["\\162\\155", "rm"],
  ["\\u0072\\U0000006d", "rm"],
  ["a\\tb\\\\c\\'d", "a\tb\\c'd"],
  ["\\z", "\\z"],
  ["end\\", "end\\"],
])("ansi-c %s", (from, to) => expect(decodeEscapes(from)).toBe(to));

test("echo -e reads \\0nnn and stops at \\c", () => {
  expect(decodeEscapes("\\0162\\0155\\c never", "echo")).toBe("rm");
});
