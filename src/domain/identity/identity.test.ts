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
  expect(passwordFault("correct horse battery", "a@b.c")).toBeUndefined();
  expect(passwordFault("🔑🔒🗝️abcdefghi", "a@b.c")).toBeUndefined();
  expect(passwordFault("elevenchars", "a@b.c")).toContain("at least 12");
  expect(passwordFault("x".repeat(257), "a@b.c")).toContain("at most 256");
  expect(passwordFault("Administrator@b.c", "administrator@b.c")).toContain("email");
  expect(passwordFault("administrator", "administrator@b.c")).toContain("email");
  expect(passwordFault("aaaaaaaaaaaaaaaa", "a@b.c")).toContain("different");
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
