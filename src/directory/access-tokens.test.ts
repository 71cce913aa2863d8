import { expect, test } from "bun:test";
import { join, SECOND, someone, testDirectory } from "../../test/directory.ts";

const named = { name: "export script", expires_in_s: 60 };

test("a token acts as its person with the role of the moment, until it runs out", () => {
  const { directory, wait } = testDirectory();
  const { org } = someone(directory);
  const { account } = join(directory, org, "member", "bob");
  const { token, id } = directory.accessTokens.create({ account, org, ...named });
  expect(token).toStartWith("ghp_");
  expect(directory.accessTokens.lookup(token)).toMatchObject({ account, org, role: "member" });
  expect(directory.accessTokens.lookup(token)).not.toHaveProperty("session");
  directory.members.changeRole(org, account, "auditor");
  expect(directory.accessTokens.lookup(token)?.role).toBe("auditor");
  expect(directory.accessTokens.list(account, org)).toMatchObject([{ id, name: "export script" }]);
  expect(JSON.stringify(directory.accessTokens.list(account, org))).not.toContain(token);
  wait(60 * SECOND);
  expect(directory.accessTokens.lookup(token)).toBeUndefined();
});

test("it dies with its deletion or its person's membership, and only its person deletes it", () => {
  const { directory } = testDirectory();
  const ada = someone(directory);
  const bob = join(directory, ada.org, "member", "bob");
  const make = () => directory.accessTokens.create({ account: bob.account, org: ada.org, ...named });
  const [one, two] = [make(), make()];
  expect(() => directory.accessTokens.revoke(ada.account, ada.org, one.id)).toThrow("nothing here");
  expect(directory.accessTokens.lookup(one.token)).toBeDefined();
  directory.accessTokens.revoke(bob.account, ada.org, one.id);
  expect(directory.accessTokens.lookup(one.token)).toBeUndefined();
  expect(directory.accessTokens.lookup(two.token)).toBeDefined();
  directory.members.remove(ada.org, bob.account);
  expect(directory.accessTokens.lookup(two.token)).toBeUndefined();
});

test("fifty are enough; last use is shown", () => {
  const { directory, clock } = testDirectory();
  const { account, org } = someone(directory);
  const { token } = directory.accessTokens.create({ account, org, ...named });
  for (let i = 1; i < 50; i++) directory.accessTokens.create({ account, org, ...named });
  expect(() => directory.accessTokens.create({ account, org, ...named })).toThrow("50 tokens");
  directory.accessTokens.lookup(token);
  directory.flush();
  expect(directory.accessTokens.list(account, org).at(-1)?.last_used_at).toBe(clock.now);
});
