import { expect, test } from "bun:test";
import { generateSync } from "otplib";
import { join, origin, SECOND, someone, testDirectory } from "../../test/directory.ts";
import type { Oidc, OidcPerson } from "./oidc.ts";
import { createOidcSignIns } from "./oidc-sign-in.ts";

const issuer = "https://id.example";

/** Tokens are the claims themselves: what makes a token valid is `oidc.test.ts`. */
function begin() {
  const world = testDirectory();
  const ada = someone(world.directory);
  const oidc: Oidc = { issuer, claims: () => true, verify: async token => JSON.parse(token) as OidcPerson };
  const signIns = createOidcSignIns(world.directory, oidc, () => world.clock.now);
  const enter = (sub: string, more: Partial<OidcPerson> = {}) =>
    signIns.person(JSON.stringify({ issuer, sub, email_verified: true, ...more }));
  return { ...world, ...ada, enter };
}

test("an account is found by a verified address once, by the subject from then on", async () => {
  const { enter, account, org, directory } = begin();
  expect(await enter("s-1", { email: "Ada@Example.org" })).toEqual({
    person: { kind: "person", account, email: "ada@example.org", name: "ada", demo: false, org, role: "admin" },
  });
  expect(await enter("s-1", { email: "changed@example.org", email_verified: false })).toMatchObject({
    person: { account },
  });
  directory.members.add(org, directory.accounts.create({ email: "b@example.org" }).id, "admin");
  directory.members.changeRole(org, account, "auditor");
  expect(await enter("s-1")).toMatchObject({ person: { role: "auditor" } });
});

test("an unproved address, an unknown one, another subject's or the demo's opens nothing", async () => {
  const { enter, directory, org } = begin();
  const demo = directory.accounts.create({ email: "demo@example.org", demo: true });
  directory.members.add(org, demo.id, "auditor");
  for (const more of [
    { email: "ada@example.org", email_verified: false },
    { email: "x@example.org" },
    {},
    { email: "demo@example.org" },
  ])
    await expect(enter("s-1", more)).rejects.toMatchObject({ code: "forbidden" });
  await enter("s-1", { email: "ada@example.org" });
  await expect(enter("s-2", { email: "ada@example.org" })).rejects.toMatchObject({ code: "forbidden" });
});

test("an invitation waiting for the verified address is accepted with the first sign-in", async () => {
  const { enter, directory, org, account } = begin();
  const invite = (email: string) => directory.invitations.create({ org, email, role: "member", invited_by: account });
  const { invitation } = invite("bob@example.org");
  await expect(enter("s-b", { email: "bob@example.org", email_verified: false })).rejects.toMatchObject({
    code: "forbidden",
  });
  const entered = await enter("s-b", { email: "bob@example.org", name: "Bob" });
  expect(entered).toMatchObject({
    person: { org, role: "member", name: "Bob" },
    joined: { invitation: invitation.id, org, role: "member" },
  });
  expect(await enter("s-b")).not.toHaveProperty("joined");
  expect(directory.members.list(org, 10).map(one => one.status)).toEqual(["active", "active"]);
});

test("a second organisation's invitation is accepted with the next request of a verified address; the first stays the one entered", async () => {
  const { enter, directory, org, account } = begin();
  await enter("s-1", { email: "ada@example.org" });
  const second = directory.organisations.create("Second", "team");
  const guest = { org: second.id, email: "ada@example.org", role: "auditor" as const, invited_by: account };
  const { invitation } = directory.invitations.create(guest);
  expect(await enter("s-1", { email: "ada@example.org", email_verified: false })).not.toHaveProperty("joined");
  expect(await enter("s-1", { email: "other@example.org" })).not.toHaveProperty("joined");
  expect(await enter("s-1", { email: "ada@example.org" })).toMatchObject({
    person: { org, role: "admin" },
    joined: { invitation: invitation.id, org: second.id, role: "auditor" },
  });
  expect(directory.members.places(account).map(place => [place.id, place.role])).toEqual([
    [org, "admin"],
    [second.id, "auditor"],
  ]);
  expect(await enter("s-1", { email: "ada@example.org" })).not.toHaveProperty("joined");
});

test("removal acts at once, though the provider's token is still good", async () => {
  const { enter, directory, org } = begin();
  const bob = join(directory, org, "member", "bob");
  expect(await enter("s-b", { email: bob.email })).toMatchObject({ person: { account: bob.account } });
  directory.members.remove(org, bob.account);
  await expect(enter("s-b", { email: bob.email })).rejects.toMatchObject({ code: "forbidden" });
});

test("with two-factor on the token leads to one challenge, not to one for every request", async () => {
  const { enter, directory, account, clock, wait } = begin();
  await enter("s-1", { email: "ada@example.org" });
  const { secret } = directory.twoFactor.setup(account);
  const code = () => generateSync({ secret, epoch: clock.now / SECOND });
  directory.twoFactor.enable(account, code());
  wait(60 * SECOND);
  const challenge = async () => {
    const refused = await enter("s-1").catch(error => error);
    expect(refused.code).toBe("two_factor_required");
    return refused.extra.members.two_factor as { challenge: string; expires_in: number };
  };
  const first = await challenge();
  expect(first.expires_in).toBe(300);
  wait(100 * SECOND);
  expect(await challenge()).toEqual({ challenge: first.challenge, expires_in: 200 });
  expect(directory.signIns.withCode({ challenge: first.challenge, code: code(), origin })).toMatchObject({
    account: { id: account },
  });
  expect((await challenge()).challenge).not.toBe(first.challenge);
});
