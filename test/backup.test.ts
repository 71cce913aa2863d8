import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run as backup } from "../src/cli/backup.ts";
import { run as restore } from "../src/cli/restore.ts";
import { openDatabase } from "../src/store/sqlite/database.ts";
import { ADMIN, createWorld } from "./world.ts";

function io() {
  const said: string[] = [];
  const line = (text: string) => void said.push(text);
  return { said, io: { env: {}, out: line, err: line, stdin: async () => "" } as never };
}

test("a backup taken while agents write restores to a verified log that says it was restored", async () => {
  const world = await createWorld();
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-backup-"));
  const file = join(folder, "backup");
  const agent = await world.agent("laptop");
  const send = (id: string) =>
    world.call("POST", "/api/events", { token: agent.token, body: { id, time: "2026-11-20T10:00:00Z", type: "a.b" } });
  for (let index = 0; index < 20; index++) await send(`before-${index}`);
  let more = true;
  const writing = (async () => {
    for (let index = 0; more; index++) expect((await send(`during-${index}`)).status).toBe(200);
  })();
  const first = io();
  expect([await backup([file, "--data", world.data], first.io), first.said]).toEqual([
    0,
    [`1 organisations in ${file}`],
  ]);
  more = false;
  await writing;
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(readdirSync(folder)).toEqual(["backup"]);

  const data = join(folder, "restored");
  const second = io();
  expect([await restore([file, "--data", data], second.io), second.said.join()]).toEqual([
    0,
    expect.stringMatching(/^Acme \(org_[^)]+\): \d+ entries, verified$/),
  ]);
  const restored = await createWorld({ GATEHOUSE_DATA: data });
  const token = (await restored.call("POST", "/api/auth/login", { body: ADMIN })).json.token;
  expect((await restored.call("GET", "/api/posture/attestation-chain", { token })).json.valid).toBe(true);
  const noted = (await restored.call("GET", "/api/audit?type=log.restored", { token })).json.items;
  expect(noted).toMatchObject([{ type: "log.restored", attributes: { head: { seq: expect.any(Number) } } }]);
  expect((await restored.call("GET", "/api/agents/self", { token: agent.token })).json.name).toBe("laptop");
  expect((await restored.call("GET", "/api/audit?q=before-19", { token })).json.items.length).toBe(1);
  await restored.close();

  const again = io();
  expect([await restore([file, "--data", world.data], again.io), again.said.join()]).toEqual([
    1,
    expect.stringContaining("not empty"),
  ]);
  expect(await backup([file, "--data", world.data], io().io)).toBe(1);
  await world.close();
  rmSync(folder, { recursive: true });
});

test("a damaged backup is refused before anything is written", async () => {
  const world = await createWorld();
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-backup-"));
  const file = join(folder, "backup");
  await world.agent();
  expect(await backup([file, "--data", world.data], io().io)).toBe(0);
  await world.close();
  const db = openDatabase(file);
  db.exec("UPDATE part SET bytes = zeroblob(length(bytes)) WHERE name LIKE 'orgs/%'");
  db.close();
  const said = io();
  const data = join(folder, "restored");
  expect([await restore([file, "--data", data], said.io), said.said.join()]).toEqual([
    1,
    expect.stringMatching(/orgs\/org_.* is damaged in the backup/),
  ]);
  expect(readdirSync(folder)).toEqual(["backup"]);
  const outside = openDatabase(file);
  outside.exec("UPDATE file SET name = '../evil' WHERE name LIKE 'orgs/%'");
  outside.close();
  expect(await restore([file, "--data", data], io().io)).toBe(1);
  writeFileSync(join(folder, "noise"), "not a database");
  expect(await restore([join(folder, "noise"), "--data", data], io().io)).toBe(1);
  expect(await restore(["--data", data], io().io)).toBe(2);
  rmSync(folder, { recursive: true });
});
