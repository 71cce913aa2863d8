import { expect, test } from "bun:test";
import { makeRecoveryCode, readRecoveryCode } from "./recovery-code.ts";

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

test("a code has 24 letters of five bits, and reads however it is typed", () => {
  const code = makeRecoveryCode(random);
  expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/);
  const plain = code.replaceAll("-", "");
  for (const typed of [code, plain, code.toLowerCase(), ` ${code.replaceAll("-", " ")} `, plain.replaceAll("0", "o")])
    expect([typed, readRecoveryCode(typed)]).toEqual([typed, plain]);
});

test("codes of the former length still read; what is none does not", () => {
  expect(readRecoveryCode("0123-4567-89AB-CDEF")).toBe("0123456789ABCDEF");
  for (const typed of ["", "123456", "0123-4567-89AB-CDE", "0123-4567-89AB-CDEF-0", "U".repeat(24), "0".repeat(40)])
    expect([typed, readRecoveryCode(typed)]).toEqual([typed, undefined]);
});
