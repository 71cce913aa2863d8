import { expect, test } from "bun:test";
import { emailKey } from "./email.ts";
import { passwordFault } from "./password.ts";
import { isToken, makeToken, tokenPrefixes } from "./tokens.ts";

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

test("an address has one spelling, and what is none is refused", () => {
  expect(emailKey("  Ada@Example.ORG ")).toBe("ada@example.org");
  expect(emailKey("jose\u0301@example.org")).toBe("josé@example.org");
  expect(emailKey("root@localhost")).toBe("root@localhost");
  for (const bad of [
    "",
    "a",
    "a@",
    "@b",
    "a@b@c",
    "a b@c.d",
    "a@b..c",
    "a@.b",
    "a@b.",
    '"a"@b.c',
    "a\u0000@b.c",
    `${"a".repeat(65)}@b.c`,
  ])
    expect(emailKey(bad)).toBeUndefined();
  expect(emailKey(`a@${"b".repeat(260)}`)).toBeUndefined();
});

test("a password is long, not the address, not one key held down", () => {
  const fault = (password: string, email = "a@b.c") => passwordFault(password, email, new Set(["qwertyqwerty"]));
  expect(fault("correct horse battery")).toBeUndefined();
  expect(fault("🔑🔒🗝️abcdefghi")).toBeUndefined();
  expect(fault("elevenchars")).toContain("at least 12");
  expect(fault("x".repeat(257))).toContain("at most 256");
  expect(fault("aaaaaaaaaaaaaaaa")).toContain("different");
  expect(fault("qwertyQWERTY")).toContain("most used");
  expect(fault("qwertyqwertz")).toBeUndefined();
});

test("what stands in the address, or on the door, is no secret", () => {
  const fault = (password: string) => passwordFault(password, "administrator@acmecorp.example", new Set());
  for (const password of [
    "Administrator@AcmeCorp.example",
    "administrator",
    "administrator2026",
    "AcmeCorp2026",
    "gatehouse2026",
    "gatehouse-gatehouse",
    "acmecorp-gatehouse-1",
  ])
    expect([password, fault(password)]).toEqual([password, expect.stringContaining("of its own")]);
  expect(fault("gatehouse stands by the river")).toBeUndefined();
  expect(passwordFault("ada lovelace's", "ada@x.org", new Set())).toBeUndefined();
});

test("a token is told by its prefix and its length", () => {
  for (const kind of Object.keys(tokenPrefixes) as (keyof typeof tokenPrefixes)[]) {
    const token = makeToken(kind, random);
    expect(isToken(kind, token)).toBe(true);
    expect(isToken(kind, `${token}A`)).toBe(false);
    expect(isToken(kind, `${token.slice(0, -1)}+`)).toBe(false);
    expect(isToken(kind === "agent" ? "access" : "agent", token)).toBe(false);
  }
});
