import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../store/sqlite/database.ts";
import { DAY, someone, START, testDirectory } from "../../test/directory.ts";

test("what has expired is forgotten after a week, by itself; the rest stays", () => {
  const { directory, clock, wait } = testDirectory();
  const { account, org, sid } = someone(directory);
  const key = directory.enrolmentKeys.create({ org, name: "k", uses: 1, expires_in_s: 60, created_by: account });
  const token = directory.accessTokens.create({ account, org, name: "t", expires_in_s: 300 * 86_400 });
  wait(2 * DAY);
  directory.flush();
  expect(directory.enrolmentKeys.list(org)).toHaveLength(1);
  wait(6 * DAY);
  directory.flush();
  expect(directory.enrolmentKeys.list(org)).toEqual([]);
  expect(directory.enrolmentKeys.use(key.key)).toBeUndefined();
  expect(directory.accessTokens.lookup(token.token)).toBeDefined();
  clock.now = START;
  expect(directory.sessions.lookup(sid)).toBeUndefined();
});

test("several calls in one transaction stand or fall together, also one inside another", () => {
  const { directory } = testDirectory();
  const { organisations, accounts, members, atomic } = directory;
  expect(() =>
    atomic(() => {
      const { id } = organisations.create("gone", "team");
      const account = accounts.create({ email: "a@b.example" });
      members.add(id, account.id, "admin");
      atomic(() => members.changeRole(id, account.id, "member"));
    }),
  ).toThrow("at least one admin");
  expect(organisations.all()).toEqual([]);
  atomic(() => {
    organisations.create("kept", "team");
    expect(() =>
      atomic(() => {
        organisations.create("undone", "team");
        throw new Error("no");
      }),
    ).toThrow("no");
  });
  expect(organisations.all().map(one => one.name)).toEqual(["kept"]);
  atomic(() => organisations.create("after", "team"));
  expect(organisations.all()).toHaveLength(2);
});

test("heads that could not be written, because another process held the lock, are written the next time", () => {
  const folder = mkdtempSync(join(tmpdir(), "directory-"));
  const path = join(folder, "directory.sqlite");
  const { directory } = testDirectory(path, 0);
  const other = openDatabase(path);
  directory.heads.note("org_a", { seq: 3, hash: "a".repeat(64) });
  other.exec("BEGIN IMMEDIATE");
  expect(() => directory.flush()).toThrow("locked");
  other.exec("ROLLBACK");
  directory.flush();
  expect(other.query("SELECT seq FROM heads WHERE org = 'org_a'").get()).toEqual({ seq: 3 });
  other.close();
  directory.close();
  rmSync(folder, { recursive: true });
});
