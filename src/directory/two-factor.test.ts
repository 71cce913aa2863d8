import { expect, test } from "bun:test";
import { generateSync } from "otplib";
import { SECOND, someone, START, testDirectory } from "../../test/directory.ts";

function begin() {
  const world = testDirectory();
  const { account } = someone(world.directory);
  const two = world.directory.twoFactor;
  const { secret, otpauth_uri } = two.setup(account);
  const code = (steps = 0) => generateSync({ secret, epoch: Math.floor(world.clock.now / SECOND) + 30 * steps });
  return { ...world, account, two, secret, otpauth_uri, code };
}
function enabled() {
  const world = begin();
  const { recovery_codes } = world.two.enable(world.account, world.code());
  world.wait(30 * SECOND);
  return { ...world, recovery_codes };
}

test("it is on once a code has proved the secret", () => {
  const { two, account, secret, otpauth_uri, code, directory } = begin();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const uri = new URL(otpauth_uri);
  expect(uri.searchParams.get("secret")).toBe(secret);
  expect(uri.searchParams.get("issuer")).toBe("Gatehouse");
  expect(decodeURIComponent(uri.pathname)).toEndWith("Gatehouse:ada@example.org");
  expect(() => two.enable(account, "000000")).toThrow("not valid");
  expect(two.check(account, code())).toBe(false);
  expect(directory.accounts.get(account).two_factor).toBe(false);
  expect(two.enable(account, code()).recovery_codes).toHaveLength(10);
  expect(directory.accounts.get(account).two_factor).toBe(true);
  expect(() => two.setup(account)).toThrow("on already");
});

test("one step either way, each step once, and never an earlier one after it", () => {
  const { two, account, code } = enabled();
  for (const steps of [-3, -2, 2, 3]) expect(two.check(account, code(steps))).toBe(false);
  expect(two.check(account, code(1))).toBe(true);
  for (const steps of [-1, 0, 1]) expect(two.check(account, code(steps))).toBe(false);
});

test("the code that turned it on is used up; the next one, late, works", () => {
  const { two, account, code } = enabled();
  expect(two.check(account, code(-1))).toBe(false);
  expect(two.check(account, code(0).replace(/^(...)/, "$1 "))).toBe(true);
});

test("a recovery code works once, as typed by people", () => {
  const { two, account, recovery_codes } = enabled();
  expect(new Set(recovery_codes).size).toBe(10);
  expect(two.check(account, recovery_codes[0]!.toLowerCase().replaceAll("-", " "))).toBe(true);
  expect(two.check(account, recovery_codes[0]!)).toBe(false);
  expect(two.check(account, recovery_codes[1]!)).toBe(true);
  expect(two.check(account, "0000-0000-0000-0000")).toBe(false);
});

test("turning it off needs a code and forgets everything", () => {
  const { two, account, code, recovery_codes, directory } = enabled();
  const trusted = directory.trustedDevices.create(account, "browser", "192.0.2.1");
  expect(() => two.disable(account, "123456")).toThrow("not valid");
  expect(directory.trustedDevices.accepts(account, trusted)).toBe(true);
  two.disable(account, code());
  expect(directory.trustedDevices.accepts(account, trusted)).toBe(false);
  expect(two.check(account, recovery_codes[3]!)).toBe(false);
  expect(() => two.disable(account, code(1))).toThrow("not on");
});

test("RFC 6238's own example: the secret of twenty ASCII digits", () => {
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  expect(generateSync({ secret, epoch: 59 })).toBe("287082");
  expect(START % 30_000).toBe(0);
});
