import { expect, test } from "bun:test";
import { createPasswords, scryptOnly } from "./passwords.ts";

test("what was hashed is verified, and nothing else; the hash names its algorithm", async () => {
  const passwords = createPasswords();
  const hash = await passwords.hash("correct horse battery");
  expect(hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  expect(await passwords.verify("correct horse battery", hash)).toBe(true);
  expect(await passwords.verify("correct horse batterz", hash)).toBe(false);
  expect(await passwords.verify("correct horse battery", undefined)).toBe(false);
});

test("what was hashed with scrypt is verified everywhere", async () => {
  const hash = await createPasswords(scryptOnly).hash("correct horse battery");
  expect(hash).toStartWith("$scrypt$ln=15,r=8,p=3$");
  expect(await createPasswords().verify("correct horse battery", hash)).toBe(true);
  expect(await createPasswords().verify("incorrect horse", hash)).toBe(false);
  for (const damaged of ["$scrypt$", hash.slice(0, -10), hash.replace("ln=15", "ln=99")])
    expect(await scryptOnly.verify("correct horse battery", damaged)).toBe(false);
}, 120_000);

test("different keyboards, one password", async () => {
  const passwords = createPasswords({
    ...scryptOnly,
    hash: async text => text,
    verify: async (text, hash) => text === hash,
  });
  expect(await passwords.verify("cafe\u0301 ﬁne words", await passwords.hash("café fine words"))).toBe(true);
});

test("two at a time, sixty-four waiting, the rest is refused; a failure frees its place", async () => {
  let running = 0;
  let most = 0;
  const open: (() => void)[] = [];
  const hash = async (password: string) => {
    most = Math.max(most, ++running);
    await new Promise<void>(resolve => open.push(resolve));
    running--;
    if (password === "fail") throw new Error("no");
    return password;
  };
  const passwords = createPasswords({ nobody: "", hash, verify: async () => true });
  const work = Array.from({ length: 66 }, (_, index) => passwords.hash(index < 2 ? "fail" : "x").catch(() => "failed"));
  await expect(passwords.hash("x")).rejects.toMatchObject({ code: "busy" });
  for (let i = 0; i < 66; i++) {
    await Bun.sleep(0);
    open.shift()!();
  }
  expect((await Promise.all(work)).filter(one => one === "x")).toHaveLength(64);
  expect(most).toBe(2);
  expect(running).toBe(0);
});

test("an unknown person costs as much as a known one, from the first try on", async () => {
  for (const [passwords, times_max] of [
    [createPasswords(), 4],
    [createPasswords(scryptOnly), 2],
  ] as const) {
    const hash = await passwords.hash("correct horse battery");
    const fastest = async (stored: string | undefined) => {
      const times: number[] = [];
      for (let i = 0; i < times_max; i++) {
        const before = process.cpuUsage();
        expect(await passwords.verify("wrong", stored)).toBe(false);
        const { user, system } = process.cpuUsage(before);
        times.push(user + system);
      }
      return Math.min(...times);
    };
    const ratio = (await fastest(undefined)) / (await fastest(hash));
    expect(ratio).toBeGreaterThan(0.4);
    expect(ratio).toBeLessThan(2.5);
  }
}, 300_000);
