import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { run as backup } from "../src/cli/backup.ts";
import { run as rebuild } from "../src/cli/rebuild.ts";
import { run as restore } from "../src/cli/restore.ts";
import { openDatabase } from "../src/store/sqlite/database.ts";
import { migrate, MigrationError } from "../src/store/sqlite/migrate.ts";
import { withFile } from "./store/fixture.ts";
import { runProgram } from "./target.ts";
import { ADMIN, createWorld } from "./world.ts";

/** What the first version left behind (test/fixtures/make-first-data.ts), in a folder of its own. */
function firstData() {
  const packed = readFileSync(join(import.meta.dirname, "fixtures", "data-0.1.json.gz"));
  const { agent, head, files } = JSON.parse(gunzipSync(packed).toString()) as {
    agent: string;
    head: { seq: number; hash: string };
    files: Record<string, string>;
  };
  const data = mkdtempSync(join(tmpdir(), "gatehouse-first-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(data, dirname(name)), { recursive: true, mode: 0o700 });
    writeFileSync(join(data, name), Buffer.from(content, "base64"), { mode: 0o600 });
  }
  const org = join(data, Object.keys(files).find(name => name.startsWith("orgs/"))!);
  return { data, agent, head, org };
}

/** Runs `sql` on a file that nobody has open. */
function change(path: string, sql: string): void {
  const db = openDatabase(path);
  db.exec(sql);
  db.close();
}
const schemaOf = (path: string) => {
  const db = openDatabase(path);
  const version = Number(db.query<{ user_version: number }>("PRAGMA user_version").get()!.user_version);
  db.close();
  return version;
};
const newest = (folder: string) => readdirSync(folder).filter(name => name.endsWith(".sql")).length;

/** Everything the first version knew is answered by this one, and its log goes on from where it stood. */
async function servesAll(data: string, agent: string, head: { seq: number; hash: string }): Promise<void> {
  const world = await createWorld({ GATEHOUSE_DATA: data });
  const token = (await world.call("POST", "/api/auth/login", { body: ADMIN })).json.token;
  const get = async (path: string, as = token) => (await world.call("GET", `/api${path}`, { token: as })).json;
  const chain = await get("/posture/attestation-chain");
  expect(chain).toMatchObject({ valid: true, from: 0 });
  expect(chain.head.seq).toBeGreaterThanOrEqual(head.seq);
  expect((await get(`/audit/${head.seq}`)).hash).toBe(head.hash);
  const { total } = await get("/audit/stats?from=1970-01-01T00:00:00Z");
  expect(total).toBe((await get("/audit?limit=1")).items[0].seq + 1);
  expect((await get("/audit?q=first-2")).items).toMatchObject([{ id: "first-2", type: "shell.exec" }]);
  expect(await get("/org")).toMatchObject({ name: "Acme", enforcement_mode: "audit-only" });
  expect((await get("/policy")).version).toBe(2);
  expect((await get("/agents/self", agent)).name).toBe("laptop");
  expect(await get("/agents/stats")).toMatchObject({ total: 1, by_platform: { unknown: 1 }, policy_lag: 1 });
  expect((await get("/compliance/frameworks")).items.map((one: { id: string }) => one.id)).toEqual(["soc2"]);
  expect((await get("/compliance/scans/latest?project=shop")).summary.fail).toBe(1);
  const event = { id: "later-1", time: "2026-11-20T10:00:00Z", type: "shell.exec" };
  const sent = await world.call("POST", "/api/events", { token: agent, body: [event, { ...event, id: "first-1" }] });
  expect(sent.json).toMatchObject({ accepted: 1, duplicates: 1 });
  expect((await get("/posture/attestation-chain")).valid).toBe(true);
  await world.close();
}

test("data of the first version opens, is brought up to date, serves and verifies", async () => {
  const { data, agent, head } = firstData();
  await servesAll(data, agent, head);
  rmSync(data, { recursive: true, force: true });
});

test("an organisation's file from before a projection was there gets it, and fills it from its log", async () => {
  const { data, agent, head, org } = firstData();
  // As it stood after 0002: what 0003 and later made is not there yet.
  const later = openDatabase(org);
  const made = readFileSync("src/store/sqlite/migrations/0003-compliance.sql", "utf8").matchAll(/CREATE TABLE (\w+)/g);
  for (const [, table] of made) later.exec(`DROP TABLE ${table}`);
  later.exec("PRAGMA user_version = 2");
  later.close();
  const before = await createWorld({ GATEHOUSE_DATA: data });
  const token = (await before.call("POST", "/api/auth/login", { body: ADMIN })).json.token;
  expect((await before.call("GET", "/api/posture/attestation-chain", { token })).json.valid).toBe(true);
  // Filled before the first question, and by command whenever it is wanted.
  const enabled = (await before.call("GET", "/api/compliance/frameworks", { token })).json.items;
  expect(enabled.map((one: { id: string }) => one.id)).toEqual(["soc2"]);
  expect(before.log.filter(line => line.includes("brought up to date from its log")).length).toBe(1);
  await before.restart();
  expect(before.log.filter(line => line.includes("brought up to date from its log")).length).toBe(1);
  await before.stop();
  expect(schemaOf(org)).toBe(newest("src/store/sqlite/migrations"));
  const said: string[] = [];
  const line = (text: string) => void said.push(text);
  const io = { env: {}, out: line, err: line, stdin: async () => "" } as never;
  expect([await rebuild(["--data", data], io), said.join()]).toEqual([0, expect.stringContaining("entries")]);
  await servesAll(data, agent, head);
  rmSync(data, { recursive: true, force: true });
});

test("an older backup is brought up to date as it is restored", async () => {
  const { data, agent, head } = firstData();
  const [file, fresh] = [`${data}.backup`, `${data}-fresh`];
  const said: string[] = [];
  const io = { env: {}, out: (line: string) => void said.push(line), err: () => {}, stdin: async () => "" } as never;
  expect(await backup([file, "--data", data], io)).toBe(0);
  expect([await restore([file, "--data", fresh], io), said.join()]).toEqual([0, expect.stringContaining("verified")]);
  await servesAll(fresh, agent, head);
  for (const path of [data, file, fresh]) rmSync(path, { recursive: true, force: true });
});

test("data of a newer version is refused in one sentence and left as it is", async () => {
  const { data, org, agent } = firstData();
  change(org, "PRAGMA user_version = 99");
  const bytes = readFileSync(org);
  const world = await createWorld({ GATEHOUSE_DATA: data });
  const token = (await world.call("POST", "/api/auth/login", { body: ADMIN })).json.token;
  const reply = await world.call("GET", "/api/audit", { token });
  expect([reply.status, reply.json.error]).toEqual([503, "unavailable"]);
  expect(reply.json.message).not.toContain("99");
  const event = { id: "x", time: "2026-11-20T10:00:00Z", type: "a.b" };
  expect((await world.call("POST", "/api/events", { token: agent, body: event })).status).toBe(503);
  expect(world.log.join("\n")).toContain("written by a newer version of Gatehouse (schema 99");
  await world.stop();
  expect(schemaOf(org)).toBe(99);
  expect(readFileSync(org).subarray(100).equals(bytes.subarray(100))).toBe(true);
  const directory = join(data, "directory.sqlite");
  change(directory, "PRAGMA user_version = 99");
  const started = await runProgram(["serve"], { env: { GATEHOUSE_DATA: data, GATEHOUSE_PORT: "0" } });
  expect([started.code, started.out]).toEqual([1, ""]);
  expect(started.err.trim().split("\n").at(-1)).toMatch(/^gatehouse: This data was written by a newer version/);
  expect(statSync(directory).size).toBeGreaterThan(0);
  rmSync(data, { recursive: true, force: true });
});

test("a step that fails changes nothing, nor do those before it, and all are tried again when it is right", () => {
  withFile(path => {
    const db = openDatabase(path);
    const folder = join(import.meta.dir, "fixtures/migrations");
    const steps = { list: (of: string) => readdirSync(of).sort(), read: (path: string) => readFileSync(path, "utf8") };
    const tables = () =>
      db.query<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    expect(() => migrate(db, `${folder}/broken`, steps)).toThrow();
    expect([tables(), version()]).toEqual([[], 0]);
    migrate(db, `${folder}/mended`, steps);
    expect([tables(), version()]).toEqual([[{ name: "first" }, { name: "second" }], 2]);
    expect(db.query<{ n: number }>("SELECT n FROM second").get()).toEqual({ n: 1 });
    migrate(db, `${folder}/mended`, steps);
    db.exec("PRAGMA user_version = 7");
    expect(() => migrate(db, `${folder}/mended`, steps)).toThrow(MigrationError);
    db.close();
    function version() {
      return Number(db.query<{ user_version: number }>("PRAGMA user_version").get()!.user_version);
    }
  });
});
