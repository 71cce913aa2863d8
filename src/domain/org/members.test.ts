import { expect, test } from "bun:test";
import { keepsAdmin } from "./members.ts";

const ada = { account: "ada", role: "admin" } as const;
const bob = { account: "bob", role: "member" } as const;

test("the last admin neither leaves nor steps down; anyone else may", () => {
  expect(keepsAdmin([ada, bob], "ada", undefined)).toBe(false);
  expect(keepsAdmin([ada, bob], "ada", "member")).toBe(false);
  expect(keepsAdmin([ada, bob], "ada", "admin")).toBe(true);
  expect(keepsAdmin([ada, bob], "bob", undefined)).toBe(true);
  expect(keepsAdmin([ada, { ...bob, role: "admin" }], "ada", undefined)).toBe(true);
});
