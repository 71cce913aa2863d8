import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Context } from "../../src/actor/answer.ts";
import { span } from "../../src/actor/posture.ts";
import type { Output } from "../../src/actor/org-actor.ts";
import { createDispatch, type Dispatch } from "../../src/dispatch/dispatch.ts";
import { spawnVerifyThread, type ThreadEvents } from "../../src/dispatch/spawn.ts";
import { onEveryCore, type PartTable, verifyParts } from "../../src/dispatch/verify.ts";
import { formatVkey } from "../../src/domain/audit/note.ts";
import { createLogger } from "../../src/logger.ts";
import { sha256 } from "../../src/store/crypto.ts";
import { openOrgStore } from "../../src/store/open.ts";
import type { OrgStore } from "../../src/store/org-store.ts";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { fill, finish, origin, signer, storeWorld } from "../store/fixture.ts";

const org = "org_test";
const vkey = formatVkey(sha256, { name: origin, publicKey: signer.publicKey });
const entries = 6_000;

let orgs: string;
let store: OrgStore;
let opened: Dispatch<PartTable>[];
/** Verifications by the organisation's own thread. */
let own: number;

beforeEach(() => {
  orgs = mkdtempSync(join(tmpdir(), "gatehouse-"));
  store = openOrgStore({ path: join(orgs, `${org}.sqlite`) }, storeWorld());
  fill(store, entries);
  opened = [];
  own = 0;
});

afterEach(async () => {
  await Promise.all(opened.map(threads => threads.close()));
  store.close();
  rmSync(orgs, { recursive: true });
});

const spanNow = () => span.run({ store, vkey } as Context, {}) as Output<"posture.span">;

function start(threads: number, folder = orgs): Dispatch<PartTable> {
  const dispatch = createDispatch<PartTable>(threads, {
    spawn: (events: ThreadEvents) => spawnVerifyThread({ kind: "start", orgs: folder }, events),
    limits: { count_max: 256, bytes_max: 1 << 20 },
    heads() {},
    cpuMs: () => 0,
    logger: createLogger("error", () => {}, Date.now),
  });
  opened.push(dispatch);
  return dispatch;
}

/** The organisation's own thread, played by this one. */
const home = {
  ask: async (_: string, question: string) => (question === "posture.span" ? spanNow() : store.log.checkpoint()),
  async finish() {
    own++;
    const { to, ...verdict } = finish(store.log.verify());
    return { ...verdict, to: to - 1, checkpoint: store.log.checkpoint() };
  },
  close: async () => {},
} as unknown as Dispatch;

const everywhere = (folder?: string, part_min = 1_000) =>
  onEveryCore(home, { threads_max: 3, part_min, start: threads => start(threads, folder) });

/** Behind the back of the store. */
function damage(sql: string): void {
  const db = openDatabase(join(orgs, `${org}.sqlite`));
  db.exec(sql);
  db.close();
}

test("a long log is verified in parts, and told of as by its own thread", async () => {
  const verdict = await everywhere().verify(org, {});
  expect(own).toBe(0);
  expect(opened.length).toBe(1);
  expect(verdict).toEqual(await home.finish(org, "posture.verify", {}));
  expect(verdict).toMatchObject({ valid: true, from: 0, to: entries - 1, count: entries });
});

test("a short one is verified by its own thread, and so is one that comes while another is under way", async () => {
  expect((await everywhere(orgs, 5_000).verify(org, {})).valid).toBe(true);
  expect([own, opened.length]).toEqual([1, 0]);
  const dispatch = everywhere();
  await Promise.all([dispatch.verify(org, {}), dispatch.verify(org, {})]);
  expect([own, opened.length]).toEqual([2, 1]);
});

for (const [what, sql] of Object.entries({
  "a leaf hash": "UPDATE bundle SET hashes = zeroblob(length(hashes)) WHERE first = 4000",
  "an inner node": "UPDATE node SET hash = zeroblob(32) WHERE level = 1 AND idx = 9",
  "the end of the log": "DELETE FROM bundle WHERE first >= 5900",
  "another table": "INSERT INTO seen_run VALUES (1, zeroblob(16), 1, zeroblob(5))",
}))
  test(`no part vouches for damage: ${what}`, async () => {
    damage(sql);
    expect(await verifyParts(start(3), 3, org, spanNow())).toBe(false);
  });

test("what is not found valid is verified by its own thread, whose word is told", async () => {
  damage("UPDATE bundle SET hashes = zeroblob(length(hashes)) WHERE first = 4000");
  const verdict = await everywhere().verify(org, {});
  expect(own).toBe(1);
  expect(verdict).toMatchObject({ valid: false, first_break: { seq: 4000 } });
});

test("threads that cannot read the file are no reason to fail", async () => {
  expect((await everywhere(join(orgs, "elsewhere")).verify(org, {})).valid).toBe(true);
  expect(own).toBe(1);
});

test("entries, merging and erasing meanwhile make no log invalid", async () => {
  const dispatch = everywhere();
  let running = true;
  const verdict = dispatch.verify(org, {}).finally(() => (running = false));
  for (let n = entries; running && n < 3 * entries; n += 50) {
    fill(store, n + 50, { from: n, batch: 10 });
    store.log.tidy();
    await new Promise(resume => setTimeout(resume, 1));
  }
  expect(await verdict).toMatchObject({ valid: true, count: entries });
});
