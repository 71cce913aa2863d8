import { expect, test } from "bun:test";
import { closeSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { createWorld, type World } from "../world.ts";

/** Fills an organisation's log and closes the server; returns its file. */
async function filled(world: World): Promise<string> {
  const agent = await world.agent();
  const time = "2026-11-21T10:00:00Z";
  for (let batch = 0; batch < 20; batch++) {
    const events = Array.from({ length: 200 }, (_, index) => {
      const noise = Array.from({ length: 6 }, (_, part) =>
        Math.sin(batch * 7919 + index * 31 + part).toString(36),
      ).join("");
      return { id: `${batch}-${index}`, time, type: "shell.exec", attributes: { noise } };
    });
    const sent = await world.call("POST", "/api/events", { token: agent.token, body: events });
    expect(sent.text).toContain('"accepted":200');
  }
  await world.stop();
  const orgs = join(world.data, "orgs");
  return join(orgs, readdirSync(orgs).find(file => file.endsWith(".sqlite"))!);
}

const PAGE = 4096;

/** Where the middle page of the log itself lies; the file holds pages of other tables, and free ones, too. */
function middleOfLog(file: string): number {
  const db = openDatabase(file, { readonly: true });
  const pages = db.query<{ pageno: number }>("SELECT pageno FROM dbstat WHERE name = 'bundle' ORDER BY pageno").all();
  const { page_size } = db.query<{ page_size: number }>("PRAGMA page_size").get()!;
  db.close();
  return (pages[Math.floor(pages.length / 2)]!.pageno - 1) * page_size;
}

test("4 KiB overwritten in the middle of an organisation's log is found", async () => {
  const world = await createWorld();
  const file = await filled(world);
  const at = middleOfLog(file);
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.alloc(PAGE, 0xa5), 0, PAGE, at);
  closeSync(handle);
  await world.start();
  const token = await world.admin();
  const chain = await world.call("GET", "/api/posture/attestation-chain", { token });
  // Either the chain names the first entry that does not fit, or the file is too damaged to be opened: never "valid".
  if (chain.status === 200) {
    expect(chain.json.valid).toBe(false);
    expect(chain.json.first_break).toMatchObject({ seq: expect.any(Number) });
  } else expect([chain.status, chain.json.error]).toEqual([503, "unavailable"]);
  expect((await world.call("GET", "/api/health")).status).toBe(200);
  await world.close();
});

test("a file that has lost its newest entries is behind its recorded head: kept for reading, nothing written", async () => {
  const world = await createWorld();
  const file = await filled(world);
  for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
  await world.start();
  const token = await world.admin();
  const set = await world.call("PUT", "/api/org/enforcement-mode", { token, body: { mode: "audit-only" } });
  expect([set.status, set.json.error]).toEqual([503, "read_only"]);
  expect(set.headers.get("retry-after")).not.toBeNull();
  await world.close();
  expect(world.log.join("\n")).toContain("does not match its recorded head");
});
