import { expect, test } from "bun:test";
import { generateSync } from "otplib";
import { join, origin, SECOND, someone, testDirectory } from "../../test/directory.ts";

const password = "ada's password";
function begin() {
  const world = testDirectory();
  const ada = someone(world.directory);
  const signIn = (more: { email?: string; password?: string; organisation?: string; trusted_device?: string } = {}) =>
    world.directory.signIns.withPassword({ email: "Ada@Example.org", password, origin, ...more });
  return { ...world, ...ada, signIn };
}
async function withTwoFactor() {
  const world = begin();
  const { secret } = world.directory.twoFactor.setup(world.account);
  const code = () => (world.wait(60 * SECOND), generateSync({ secret, epoch: Math.floor(world.clock.now / SECOND) }));
  world.directory.twoFactor.enable(world.account, code());
  const challenge = async () => {
    const answer = await world.signIn();
    if (answer.kind !== "two_factor") throw new Error("no second factor was asked for");
    return answer.challenge;
  };
  return { ...world, code, challenge };
}

test("the right password opens a session in the first organisation, or in the one asked for", async () => {
  const { directory, signIn, account, org } = begin();
  const second = directory.organisations.create("Second", "team").id;
  directory.members.add(second, account, "auditor");
  const first = await signIn();
  if (first.kind !== "signed_in") throw new Error();
  expect(directory.sessions.lookup(first.session.id)).toMatchObject({ account, org, role: "admin" });
  expect(first.organisation).toMatchObject({ id: org, role: "admin" });
  for (const organisation of [second, "Second"])
    expect(await signIn({ organisation })).toMatchObject({ organisation: { id: second, role: "auditor" } });
  await expect(signIn({ organisation: "org_other" })).rejects.toThrow("not a member");
});

test("a wrong password and an unknown address are told the same", async () => {
  const { signIn, directory } = begin();
  directory.accounts.create({ email: "sso@example.org" });
  for (const wrong of [
    { password: "x" },
    { email: "nobody@example.org" },
    { email: "nonsense" },
    { email: "sso@example.org" },
  ])
    await expect(signIn(wrong)).rejects.toMatchObject({
      code: "invalid_credentials",
      message: "Email or password is wrong.",
    });
});

test("with two-factor on there is no session without a code, and the challenge works once", async () => {
  const { directory, challenge, code } = await withTwoFactor();
  const open = await challenge();
  const right = code();
  expect(() => directory.signIns.withCode({ challenge: open, code: "000000", origin })).toThrow("code is wrong");
  expect(directory.signIns.withCode({ challenge: open, code: right, origin })).toMatchObject({ kind: "signed_in" });
  expect(() => directory.signIns.withCode({ challenge: open, code: code(), origin })).toThrow("has ended");
});

test("a challenge ends with its fifth wrong code, and after five minutes", async () => {
  const { directory, challenge, code, wait } = await withTwoFactor();
  const tried = await challenge();
  for (let i = 0; i < 5; i++)
    expect(() => directory.signIns.withCode({ challenge: tried, code: "000000", origin })).toThrow("wrong");
  expect(() => directory.signIns.withCode({ challenge: tried, code: code(), origin })).toThrow("has ended");
  const late = await challenge();
  wait(300 * SECOND);
  expect(() => directory.signIns.withCode({ challenge: late, code: code(), origin })).toThrow("has ended");
});

test("a remembered device skips the code for its own account, until it is taken off the list", async () => {
  const { directory, account, org, challenge, code, signIn } = await withTwoFactor();
  const { trusted_device } = directory.signIns.withCode({
    challenge: await challenge(),
    code: code(),
    remember_device: true,
    origin,
  });
  expect(await signIn({ trusted_device: trusted_device! })).toMatchObject({ kind: "signed_in" });
  const bob = join(directory, org, "member", "bob");
  expect(directory.trustedDevices.accepts(bob.account, trusted_device!)).toBe(false);
  expect(await signIn({ trusted_device: `${trusted_device}x` })).toMatchObject({ kind: "two_factor" });
  const [device] = directory.trustedDevices.list(account);
  expect(() => directory.trustedDevices.revoke(bob.account, device!.id)).toThrow("nothing here");
  directory.trustedDevices.revoke(account, device!.id);
  expect(await signIn({ trusted_device: trusted_device! })).toMatchObject({ kind: "two_factor" });
});

test("a changed password ends everything else: sessions, devices, waiting challenges", async () => {
  const { directory, account, sid, challenge, code, signIn } = await withTwoFactor();
  const waiting = await challenge();
  const { trusted_device, session } = directory.signIns.withCode({
    ...{ challenge: await challenge(), code: code(), remember_device: true, origin },
  });
  const change = (current: string, next: string) =>
    directory.signIns.changePassword({ account, current, next, session: session.id });
  await expect(change("wrong", "a new long password")).rejects.toMatchObject({ code: "invalid" });
  await expect(change(password, "short")).rejects.toMatchObject({ code: "invalid" });
  await change(password, "a new long password");
  expect(directory.sessions.lookup(session.id)).toBeDefined();
  expect(directory.sessions.lookup(sid)).toBeUndefined();
  expect(() => directory.signIns.withCode({ challenge: waiting, code: code(), origin })).toThrow("has ended");
  await expect(signIn()).rejects.toMatchObject({ code: "invalid_credentials" });
  expect(await signIn({ password: "a new long password", trusted_device: trusted_device! })).toMatchObject({
    kind: "two_factor",
  });
});

test("twenty devices are remembered, the oldest goes", async () => {
  const { directory, account } = begin();
  const tokens = Array.from({ length: 21 }, () => directory.trustedDevices.create(account, "b", "::1"));
  expect(directory.trustedDevices.list(account)).toHaveLength(20);
  expect(tokens.map(token => directory.trustedDevices.accepts(account, token)).indexOf(false)).toBe(0);
  expect(directory.trustedDevices.accepts(account, tokens[1]!)).toBe(true);
});

test("a password changed while it is being checked opens nothing", async () => {
  const { directory, account, signIn } = begin();
  const waiting = signIn();
  directory.accounts.setPassword(account, "plain:a new long password");
  await expect(waiting).rejects.toMatchObject({ code: "invalid_credentials" });
});
