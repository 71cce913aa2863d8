import { expect, test } from "bun:test";
import { DAY, join, origin, SECOND, someone, testDirectory } from "../../test/directory.ts";

test("a session shows the person with the role of the moment, for twelve hours", () => {
  const { directory, wait } = testDirectory();
  const { account, org, sid, email } = someone(directory);
  expect(directory.sessions.lookup(sid)).toEqual({
    ...{ kind: "person", account, email, name: "ada", org, role: "admin", demo: false, session: sid },
  });
  wait(12 * 3600 * SECOND - 1);
  expect(directory.sessions.lookup(sid)).toBeDefined();
  wait(1);
  expect(directory.sessions.lookup(sid)).toBeUndefined();
  expect(directory.sessions.lookup("ses_nobody")).toBeUndefined();
});

test("role, name, password and removal act on the very next look", () => {
  const { directory } = testDirectory();
  const { org } = someone(directory);
  const bob = join(directory, org, "member", "bob");
  const look = () => directory.sessions.lookup(bob.sid);
  expect(look()?.role).toBe("member");
  directory.members.changeRole(org, bob.account, "auditor");
  expect(look()?.role).toBe("auditor");
  directory.accounts.rename(bob.account, "Robert");
  expect(look()?.name).toBe("Robert");
  const kept = directory.sessions.issue({ account: bob.account, org, ...origin }).id;
  directory.accounts.setPassword(bob.account, "plain:new", kept);
  expect(look()).toBeUndefined();
  expect(directory.sessions.lookup(kept)).toBeDefined();
  directory.members.remove(org, bob.account);
  expect(directory.sessions.lookup(kept)).toBeUndefined();
});

test("one organisation's removal leaves the other's session alone", () => {
  const { directory } = testDirectory();
  const { org: first } = someone(directory);
  const bob = join(directory, first, "member", "bob");
  const { org: second } = someone(directory, "admin", "eve");
  directory.members.add(second, bob.account, "auditor");
  const other = directory.sessions.issue({ account: bob.account, org: second, ...origin }).id;
  directory.members.remove(first, bob.account);
  expect(directory.sessions.lookup(bob.sid)).toBeUndefined();
  expect(directory.sessions.lookup(other)).toMatchObject({ org: second, role: "auditor" });
});

test("ending is for one's own sessions only", () => {
  const { directory } = testDirectory();
  const ada = someone(directory);
  const bob = join(directory, ada.org, "member", "bob");
  expect(() => directory.sessions.revoke(bob.account, ada.sid)).toThrow("nothing here");
  expect(directory.sessions.lookup(ada.sid)).toBeDefined();
  directory.sessions.revoke(ada.account, ada.sid);
  expect(directory.sessions.lookup(ada.sid)).toBeUndefined();
  expect(() => directory.sessions.revoke(ada.account, ada.sid)).toThrow("nothing here");
});

test("the list shows when each was last seen, before and after it is written", () => {
  const { directory, clock, wait } = testDirectory();
  const { account, sid } = someone(directory);
  wait(5 * SECOND);
  directory.sessions.lookup(sid);
  const last = () => directory.sessions.list(account).map(one => one.last_seen_at);
  expect(last()).toEqual([clock.now]);
  directory.flush();
  expect(last()).toEqual([clock.now]);
  wait(DAY);
  expect(last()).toEqual([]);
});

test("a long user agent is cut, an unknown member gets no session", () => {
  const { directory } = testDirectory();
  const { account, org } = someone(directory);
  const made = directory.sessions.issue({ account, org, ip: "::1", user_agent: "x".repeat(5000) });
  expect(made.user_agent).toHaveLength(300);
  expect(() => directory.sessions.issue({ account, org: "org_other", ...origin })).toThrow("FOREIGN KEY");
});
