import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { verifyExport } from "../../src/domain/audit/export.ts";
import { formatVkey } from "../../src/domain/audit/note.ts";
import { sha256, verifyEd25519 } from "../../src/store/crypto.ts";
import { openOrgStore } from "../../src/store/open.ts";
import { deserializeDatabase, openDatabase } from "../../src/store/sqlite/database.ts";
import { migrate } from "../../src/store/sqlite/migrate.ts";
import { Seen } from "../../src/store/sqlite/seen.ts";
import { compress, decompress } from "../../src/store/zstd.ts";
import { event, fill, finish, openMemory, origin, signer, startMs, storeWorld, withFile } from "./fixture.ts";

const vkey = formatVkey(sha256, { name: origin, publicKey: signer.publicKey });
const day = 86_400_000;

describe("retention", () => {
  test("erases the bodies of old telemetry; leaves, chain, counters and the tree stay", () => {
    const world = storeWorld();
    const store = openMemory(world);
    fill(store, 700);
    store.commit(() => store.log.append(event(700, { stream: "state", kind: "test.changed" })));
    world.clock.ms += 30 * day;
    fill(store, 1_500, { from: 701 });
    while (store.log.tidy());
    const leaves = [...store.log.leaves()].map(leaf => leaf.toHex());
    const [root, stats] = [store.log.root(), store.audit.stats({})];
    expect(finish(store.log.eraseBodies({ before_ms: startMs + day }))).toBe(700);
    expect([0, 699, 700, 701].map(seq => store.log.entry(seq)!.body === null)).toEqual([true, true, false, false]);
    expect(store.log.leaf(5)).toMatchObject({ salt: null, body: null });
    expect([...store.log.leaves()].map(leaf => leaf.toHex())).toEqual(leaves);
    expect(finish(store.log.verify())).toMatchObject({ valid: true, count: 1_500 });
    const tools = { sha256, verify: verifyEd25519 };
    expect(verifyExport(tools, store.log.leaves(), store.log.checkpoint(), vkey).valid).toBe(true);
    finish(store.rebuild());
    expect([store.log.root(), store.audit.stats({})]).toEqual([root, stats]);
    expect(finish(store.log.eraseBodies({ before_ms: startMs + day }))).toBe(0);
    fill(store, 2_100, { from: 1_500 });
    expect(finish(store.log.verify())).toMatchObject({ valid: true, count: 2_100 });
  });

  test("a single body goes, with its salt, and leaves nothing in the file", () => {
    withFile(path => {
      const world = storeWorld();
      const marker = "swordfish-4711";
      let store = openOrgStore({ path }, world);
      fill(store, 40);
      store.commit(() => store.log.append(event(40, { body: JSON.stringify({ id: "evt-40", note: marker }) })));
      fill(store, 60, { from: 41 });
      expect(store.commit(() => store.log.eraseBody(40))).toBe(true);
      expect(store.commit(() => store.log.eraseBody(40))).toBe(false);
      expect(store.commit(() => store.log.eraseBody(99))).toBe(false);
      expect(store.log.entry(41)!.body).toBe(event(41).body as string);
      fill(store, 1_100, { from: 60 });
      expect(finish(store.log.verify())).toMatchObject({ valid: true, count: 1_100 });
      store.close();
      expect(readFileSync(path).includes(marker)).toBe(false);
      store = openOrgStore({ path }, world);
      expect(finish(store.log.verify()).valid).toBe(true);
      store.close();
    });
  });

  test("a damaged digest in the place of a body shows", () => {
    withFile(path => {
      const store = openOrgStore({ path }, storeWorld());
      fill(store, 100);
      finish(store.log.eraseBodies({ before_ms: startMs + day }));
      store.close();
      const db = openDatabase(path);
      const digests = decompress(db.query<{ body: Uint8Array }>("SELECT body FROM bundle WHERE first = 0").get()!.body);
      digests[32 * 7]! ^= 1;
      db.query("UPDATE bundle SET body = ? WHERE first = 0").run(compress(digests, 1));
      db.close();
      const reopened = openOrgStore({ path }, storeWorld());
      expect(finish(reopened.log.verify())).toMatchObject({ valid: false, first_break: { seq: 7 } });
      reopened.close();
    });
  });
});

describe("merging", () => {
  test("single commits become full bundles in short steps; every hash stays", () => {
    const world = storeWorld();
    const store = openMemory(world);
    for (let n = 0; n < 1_300; n++) {
      world.clock.ms += n % 90 === 0 ? 60 * day : 1_000;
      store.commit(() => store.log.append(event(n, n % 5 === 0 ? { stream: "state" } : {})));
    }
    const before = [...store.log.read()];
    const root = store.log.root();
    while (store.log.tidy());
    expect([...store.log.read()]).toEqual(before);
    expect(store.log.root()).toBe(root);
    expect(finish(store.log.verify())).toMatchObject({ valid: true, count: 1_300 });
    const db = deserializeDatabase(store.serialize());
    const sizes = db.query<{ n: number }>("SELECT n FROM bundle ORDER BY first").all();
    expect(sizes[0]).toEqual({ n: 1_024 });
    expect(sizes.length).toBeLessThan(80);
  });
});

describe("forgetting ids", () => {
  const uuid = (n: number) => `0190a000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
  const reach = { days: 7, ids: 10 };

  function seenWith(idsADay: number, days: number): { seen: Seen; twice(n: number): boolean } {
    const db = openDatabase(":memory:");
    migrate(db, "src/store/sqlite/migrations");
    const seen = new Seen(db);
    for (let d = 0; d < days; d++) {
      for (let i = 0; i < idsADay; i++) {
        const n = d * idsADay + i;
        seen.admit(1, uuid(n), d * day);
        seen.admit(1, `text-${n}`, d * day);
      }
      seen.flush();
    }
    while (seen.expire((days - 1) * day, reach));
    seen.forget();
    return { seen, twice: n => !seen.admit(1, uuid(n), days * day) && !seen.admit(1, `text-${n}`, days * day) };
  }

  test("only those older than a week are forgotten", () => {
    const { twice } = seenWith(5, 20);
    expect(twice(12 * 5)).toBe(true);
    expect(twice(99)).toBe(true);
    expect(twice(11 * 5)).toBe(false);
  });

  test("of a quiet organisation the newest are kept however old they are", () => {
    const { twice } = seenWith(1, 20);
    expect([15, 14, 12].map(twice)).toEqual([true, true, true]);
    const quiet = seenWith(1, 3);
    expect([0, 1, 2].map(quiet.twice)).toEqual([true, true, true]);
  });
});
