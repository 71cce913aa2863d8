import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { join as joins, origin, someone, testDirectory } from "../../test/directory.ts";

// Every statement the directory prepares, held to its query plan: a search by an index, never a walk through a table.
let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "plans-"))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Walks that are meant: small tables, or work once an hour or for an operator. */
const WALKS = [
  /FROM organisations ORDER BY id$/,
  /FROM outbox ORDER BY id LIMIT/,
  /^SELECT 1 FROM accounts WHERE demo = 0 LIMIT 1$/,
  /^SELECT count\(\*\) n FROM device_codes$/,
  /^DELETE FROM (invitations|access_tokens|trusted_devices|enrolment_keys|challenges) WHERE expires_at/,
  /^PRAGMA/,
];

async function everything(path: string) {
  const { directory } = testDirectory(path);
  const { org, account, sid } = someone(directory);
  const bob = joins(directory, org, "member", "bob");
  const { token } = directory.invitations.create({ org, email: "x@example.org", role: "member", invited_by: account });
  directory.invitations.find(token);
  directory.invitations.openFor("x@example.org");
  directory.members.list(org, 10);
  directory.members.seats(org);
  directory.members.get(org, bob.account);
  directory.sessions.lookup(sid);
  directory.sessions.list(account);
  const access = directory.accessTokens.create({ account, org, name: "t", expires_in_s: 9 });
  directory.accessTokens.lookup(access.token);
  const { device_code, user_code } = directory.deviceCodes.start({ installation_id: "i" }, "::1");
  directory.deviceCodes.describe(user_code);
  const { code } = directory.deviceCodes.approve(user_code)!;
  const { agent } = directory.agents.reserve(org, "i");
  directory.deviceCodes.grant(code, agent);
  const polled = directory.deviceCodes.poll(device_code);
  directory.agents.lookup(polled.reply === "granted" ? polled.token : "");
  directory.agents.count(org);
  const key = directory.enrolmentKeys.create({ org, name: "k", uses: 1, expires_in_s: 9, created_by: account });
  directory.enrolmentKeys.use(key.key);
  directory.enrolmentKeys.giveBack(key.id);
  directory.twoFactor.setup(account);
  directory.twoFactor.check(account, "000000");
  directory.twoFactor.reset(account);
  const { challenge } = directory.challenges.create(account, org);
  directory.challenges.find(challenge);
  directory.challenges.attempt(challenge);
  directory.challenges.settle(challenge);
  const trusted = directory.trustedDevices.create(account, "b", "::1");
  directory.trustedDevices.accepts(account, trusted);
  directory.idempotency.begin(org, "k", "r");
  directory.idempotency.finish(org, "k", "r");
  directory.heads.note(org, { seq: 1, hash: "a" });
  directory.outbox.add(org, "member.joined", {});
  for (const { id } of directory.outbox.pending()) directory.outbox.done(id);
  directory.accounts.byOidc({ issuer: "i", sub: "s" });
  directory.accounts.linkOidc(account, { issuer: "i", sub: "s" });
  directory.accounts.setPassword(bob.account, "plain:x", bob.sid);
  await directory.signIns.withPassword({ email: "ada@example.org", password: "ada's password", origin });
  directory.members.changeRole(org, bob.account, "auditor");
  directory.members.remove(org, bob.account);
  directory.agents.remove(org, agent);
  directory.accounts.any();
  directory.organisations.all();
  directory.flush();
  directory.close();
}

test("no statement walks through a table that grows", async () => {
  const texts = new Set<string>();
  const prepare = Database.prototype.prepare;
  const spy = spyOn(Database.prototype, "prepare").mockImplementation(function (this: Database, ...args: never[]) {
    texts.add(String(args[0]).replaceAll(/\s+/g, " ").trim());
    return prepare.apply(this, args as never) as never;
  } as never);
  const path = join(folder, "directory.sqlite");
  await everything(path).finally(() => spy.mockRestore());
  expect(texts.size).toBeGreaterThan(60);
  const db = new Database(path);
  const walks = [...texts]
    .filter(text => !WALKS.some(known => known.test(text)))
    .flatMap(text => {
      const plan = db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`).all();
      return plan
        .filter(({ detail }) => /^SCAN (?!CONSTANT)(?!\()/.test(detail))
        .map(({ detail }) => `${detail}: ${text}`);
    });
  db.close();
  expect(walks).toEqual([]);
});
