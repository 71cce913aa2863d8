import { expect, test } from "bun:test";
import { DAY, join, someone, testDirectory } from "../../test/directory.ts";

test("members and open invitations are one list, in the order of joining, page by page", () => {
  const { directory, wait } = testDirectory();
  const { org, account } = someone(directory);
  for (let i = 0; i < 7; i++) {
    if (i % 2) wait(1000);
    if (i % 3) join(directory, org, "member", `m${i}`);
    else directory.invitations.create({ org, email: `i${i}@example.org`, role: "auditor", invited_by: account });
  }
  const all = directory.members.list(org, 100);
  expect(all.map(one => one.status)).toContain("invited");
  expect(all).toHaveLength(8);
  const pages = [];
  for (let page = directory.members.list(org, 3); page.length; ) {
    pages.push(...page);
    page = directory.members.list(org, 3, [page.at(-1)!.created_at, page.at(-1)!.id]);
  }
  expect(pages).toEqual(all);
  expect(directory.members.seats(org)).toBe(8);
  wait(8 * DAY);
  expect(directory.members.seats(org)).toBe(5);
});

test("the last admin stays, whichever way", () => {
  const { directory } = testDirectory();
  const { org, account } = someone(directory);
  const bob = join(directory, org, "member", "bob");
  expect(() => directory.members.remove(org, account)).toThrow("at least one admin");
  expect(() => directory.members.changeRole(org, account, "auditor")).toThrow("at least one admin");
  directory.members.changeRole(org, bob.account, "admin");
  directory.members.remove(org, account);
  expect(directory.members.list(org, 10).map(one => one.id)).toEqual([bob.account]);
});

test("another organisation's member is nobody here", () => {
  const { directory } = testDirectory();
  const { org } = someone(directory);
  const eve = someone(directory, "admin", "eve");
  const { invitation } = directory.invitations.create({
    ...eve,
    email: "x@y.example",
    role: "member",
    invited_by: eve.account,
  });
  for (const act of [
    () => directory.members.get(org, eve.account),
    () => directory.members.get(org, invitation.id),
    () => directory.members.remove(org, eve.account),
    () => directory.members.changeRole(org, eve.account, "member"),
    () => directory.invitations.withdraw(org, invitation.id),
  ])
    expect(act).toThrow("nothing here");
  expect(directory.members.places(eve.account)).toEqual([{ id: eve.org, name: "eve's", role: "admin" }]);
});

test("nobody joins twice", () => {
  const { directory } = testDirectory();
  const { org, account } = someone(directory);
  expect(() => directory.members.add(org, account, "member")).toThrow("member already");
  expect(() => directory.accounts.create({ email: "ADA@example.org" })).toThrow("email address already");
});
