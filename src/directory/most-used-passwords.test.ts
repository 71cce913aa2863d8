import { expect, test } from "bun:test";
import { passwordFault } from "../domain/identity/password.ts";
import { mostUsedPasswords } from "./most-used-passwords.ts";

test("three thousand passwords that only this list refuses", () => {
  const common = [...mostUsedPasswords()];
  expect(common.length).toBe(3000);
  expect(common.filter(password => passwordFault(password, "a@b.c", new Set()) !== undefined)).toEqual([]);
  expect(common.filter(password => password !== password.toLowerCase())).toEqual([]);
  expect(passwordFault("1QAZ2wsx3edc", "a@b.c", mostUsedPasswords())).toContain("most used");
});
