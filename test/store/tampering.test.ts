import { describe, expect, test } from "bun:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { Refusal } from "../../src/errors.ts";
import { ed25519Signer } from "../../src/store/crypto.ts";
import { openOrgStore } from "../../src/store/open.ts";
import type { OrgStore } from "../../src/store/org-store.ts";
import { decodeColumns, encodeColumns } from "../../src/store/sqlite/columns.ts";
import { type Database, openDatabase } from "../../src/store/sqlite/database.ts";
import { compress, decompress } from "../../src/store/zstd.ts";
import { event, fill, finish, storeWorld, withFile } from "./fixture.ts";

const size = 2_600;
const uuid = (n: number) => `0190a000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;

/** The file of a log of 2,600 entries in bundles of 100, signed every two seconds. */
function makeLog(path: string): Buffer {
  const world = storeWorld();
  const store = openOrgStore({ path }, world);
  for (let n = 0; n < size; n += 100) {
    world.clock.ms += 2_000;
    store.commit(() => {
      for (let i = n; i < n + 100; i++)
        store.log.append(event(i, { id: uuid(i), decision: i % 2 ? "ALLOW" : "BLOCK" }));
    });
  }
  store.close();
  return readFileSync(path);
}

const original = withFile(makeLog);

/** That log changed behind its back, and what its owner then sees. */
function tamper(change: (db: Database, path: string) => void, look: (store: OrgStore) => void): void {
  withFile(path => {
    writeFileSync(path, original);
    const db = openDatabase(path);
    change(db, path);
    db.close();
    const reopened = openOrgStore({ path }, storeWorld());
    look(reopened);
    reopened.close();
  });
}

const breakOf = (store: OrgStore, window = {}) => finish(store.log.verify(window)).first_break;

interface Row {
  n: number;
  ts0: number;
  cols: Uint8Array;
  hashes: Uint8Array;
  body: Uint8Array;
}

const bundleAt = (db: Database, first: number) => db.query<Row>("SELECT * FROM bundle WHERE first = ?").get(first)!;

function changeColumns(db: Database, first: number, change: (columns: ReturnType<typeof decodeColumns>) => void): void {
  const { cols, n, ts0 } = bundleAt(db, first);
  const columns = decodeColumns(cols, n, ts0);
  change(columns);
  db.query("UPDATE bundle SET cols = ? WHERE first = ?").run(encodeColumns(columns), first);
}

function changeBody(db: Database, first: number, change: (text: string) => string): void {
  const text = new TextDecoder().decode(decompress(bundleAt(db, first).body));
  const body = compress(new TextEncoder().encode(change(text)), 1);
  db.query("UPDATE bundle SET body = ? WHERE first = ?").run(body, first);
}

function changeHash(db: Database, first: number, i: number): void {
  const { hashes } = bundleAt(db, first);
  hashes[i * 32]! ^= 1;
  db.query("UPDATE bundle SET hashes = ? WHERE first = ?").run(hashes, first);
}

describe("what is changed behind the log's back shows", () => {
  test("nothing changed, nothing found", () => {
    tamper(
      () => {},
      store => {
        expect(store.frozen).toBeUndefined();
        expect(finish(store.log.verify())).toMatchObject({ valid: true, from: 0, to: size, count: size });
      },
    );
  });

  const edits: [what: string, at: number, change: (db: Database) => void][] = [
    ["a body", 307, db => changeBody(db, 300, text => text.replace("target-307", "target-308"))],
    ["who did it", 342, db => changeColumns(db, 300, ({ agent }) => void (agent[42] = agent[43]!))],
    ["what kind it was", 300, db => changeColumns(db, 300, ({ kind }) => void kind.fill(2))],
    ["the decision", 355, db => changeColumns(db, 300, ({ flags }) => void (flags[55] = 4))],
    ["the time", 360, db => changeColumns(db, 300, ({ ts }) => void ts.fill(ts[0]! + 500, 60))],
    ["a body's length", 399, db => changeColumns(db, 300, ({ length }) => void length[99]!++)],
    ["a stored hash", 311, db => changeHash(db, 300, 11)],
    ["a name", 2, db => db.exec("UPDATE name SET name = 'agt_9' WHERE name = 'agt_2'")],
    ["a salt", 1024, db => db.exec("UPDATE salt SET salts = randomblob(16) WHERE block = 1")],
    ["no salts", 1024, db => db.exec("DELETE FROM salt WHERE block = 1")],
    ["a node of the tree", 511, db => db.exec("UPDATE node SET hash = randomblob(32) WHERE level = 1 AND idx = 1")],
    ["no node", 511, db => db.exec("DELETE FROM node WHERE level = 1 AND idx = 1")],
    ["a gap", 300, db => db.exec("DELETE FROM bundle WHERE first = 300")],
    ["an unreadable body", 300, db => db.exec("UPDATE bundle SET body = zeroblob(200) WHERE first = 300")],
    [
      "marks that hide entries from searches",
      300,
      db => db.exec("UPDATE bundle SET marks = zeroblob(512) WHERE first = 300"),
    ],
    ["a bundle hidden from retention", 300, db => db.exec("UPDATE bundle SET live = 0 WHERE first = 300")],
    ["unreadable columns", 300, db => db.exec("UPDATE bundle SET cols = x'01ff' WHERE first = 300")],
  ];

  test.each(edits)("%s, at %i", (_, at, change) => {
    tamper(change, store => {
      expect(breakOf(store)).toMatchObject({ seq: at });
      expect(finish(store.log.verify({ from: Math.max(0, at - 50), to: at + 10 })).valid).toBe(false);
      if (at < 400 && at > 2) expect(breakOf(store, { from: 2_000, to: 2_100 })).toBeUndefined();
    });
  });

  test("two entries that changed places", () => {
    const swap = (db: Database) => {
      changeBody(db, 300, text => text.replace(/(\{[^}]*"evt-310"[^}]*\})(\{[^}]*"evt-311"[^}]*\})/, "$2$1"));
      const { hashes } = bundleAt(db, 300);
      const [a, b] = [hashes.slice(320, 352), hashes.slice(352, 384)];
      hashes.set(b, 320);
      hashes.set(a, 352);
      db.query("UPDATE bundle SET hashes = ? WHERE first = 300").run(hashes);
    };
    tamper(swap, store => expect(breakOf(store)).toMatchObject({ seq: 310 }));
  });

  test("entries cut off: the log is kept read-only and says how long it was", () => {
    const cut = (db: Database) => {
      db.exec("DELETE FROM bundle WHERE first >= 2500");
      db.exec("DELETE FROM node WHERE level = 1 AND idx >= 9");
    };
    tamper(cut, store => {
      expect(store.frozen).toContain("2500");
      expect(breakOf(store)).toEqual({ seq: 2_500, expected: "2600 entries", found: "2500" });
      expect(() => store.commit(() => 1)).toThrow(expect.objectContaining({ code: "read_only" }));
    });
  });

  test("cut off with its checkpoints: whoever saw the head knows better", () => {
    const seen = { seq: 2_599, hash: "ab".repeat(32) };
    const cut = (db: Database) => {
      db.exec("DELETE FROM bundle WHERE first >= 2500");
      db.exec("DELETE FROM checkpoint WHERE size > 2500");
    };
    tamper(cut, store => expect(store.log.compare(seen)).toBe("ahead"));
  });

  test("rolled back to an older copy: ahead of it, then of another history", () => {
    withFile(path => {
      const world = storeWorld();
      let store = openOrgStore({ path }, world);
      fill(store, 500);
      store.close();
      copyFileSync(path, `${path}.old`);
      store = openOrgStore({ path }, world);
      fill(store, 700, { from: 500 });
      const head = store.log.head();
      store.close();
      copyFileSync(`${path}.old`, path);
      store = openOrgStore({ path }, world);
      expect(finish(store.log.verify()).valid).toBe(true);
      expect(store.log.compare(head)).toBe("ahead");
      fill(store, 1_000, { from: 800 });
      expect(store.log.compare(head)).toBe("differs");
      store.close();
    });
  });

  test("history written anew without the key does not fit what was signed", () => {
    withFile(path => {
      const world = storeWorld();
      const honest = openOrgStore({ path }, world);
      fill(honest, 300);
      honest.log.checkpoint();
      honest.close();
      const forged = openOrgStore(
        { path: `${path}.forged` },
        { ...storeWorld(), signer: ed25519Signer(new Uint8Array(32)) },
      );
      fill(forged, 200);
      forged.commit(() => {
        for (let n = 300; n < 400; n++) forged.log.append(event(n));
      });
      forged.close();
      const look = (keep: string) => {
        const db = openDatabase(`${path}.forged`);
        db.exec(`ATTACH '${path}' AS honest; DELETE FROM main.checkpoint WHERE ${keep}`);
        db.exec(`INSERT OR IGNORE INTO main.checkpoint SELECT * FROM honest.checkpoint`);
        db.close();
        const store = openOrgStore({ path: `${path}.forged` }, world);
        const found = [store.frozen !== undefined, finish(store.log.verify()).valid];
        store.close();
        return found;
      };
      expect(look("0")).toEqual([true, false]);
      expect(look("1")).toEqual([true, false]);
    });
  });

  test("4 KiB overwritten anywhere: refused, found, or nothing of the log is touched", () => {
    withFile(path => {
      const world = storeWorld();
      const store = openOrgStore({ path }, world);
      for (let n = 0; n < 1_500; n += 500)
        store.commit(() => {
          for (let i = n; i < n + 500; i++)
            store.log.append(event(i, { id: uuid(i * 7), body: JSON.stringify({ i, x: uuid(i ** 3) }) }));
        });
      const leaves = Buffer.concat([...store.log.leaves()]);
      store.close();
      const sound = readFileSync(path);
      const outcomes = { refused: 0, found: 0, untouched: 0 };
      for (let at = 0; at < sound.length; at += 4_096) {
        const damaged = Buffer.from(sound);
        for (let i = at; i < at + 4_096; i++) damaged[i] = (i * 131) & 255;
        writeFileSync(path, damaged);
        outcomes[examine(path, leaves)]++;
      }
      expect(outcomes.found).toBeGreaterThan(sound.length / 4_096 / 2);
      expect(outcomes.refused).toBeGreaterThan(0);
    });
  }, 300_000);
});

function examine(path: string, leaves: Uint8Array): "refused" | "found" | "untouched" {
  let store: OrgStore;
  try {
    store = openOrgStore({ path }, storeWorld());
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return "refused";
  }
  try {
    const { valid, first_break } = finish(store.log.verify());
    if (!valid) expect(first_break).toBeDefined();
    else expect(Buffer.concat([...store.log.leaves()]).equals(leaves)).toBe(true);
    return valid ? "untouched" : "found";
  } finally {
    store.close();
  }
}

test("a frozen log writes and signs nothing more", () => {
  withFile(path => {
    const store = openOrgStore({ path }, storeWorld());
    fill(store, 150);
    const note = store.log.checkpoint();
    fill(store, 200, { from: 150 });
    store.freeze("behind its recorded head");
    const before = store.serialize();
    expect(store.log.checkpoint()).toBe(note);
    expect(store.log.proof(3)).toMatchObject({ size: 150, checkpoint: note });
    expect(store.log.tidy()).toBe(false);
    const refused = expect.objectContaining({ code: "read_only" });
    expect(() => store.commit(() => store.log.append(event(200)))).toThrow(refused);
    expect(() => finish(store.log.eraseBodies({ before_ms: Number.MAX_SAFE_INTEGER }))).toThrow(refused);
    expect(finish(store.log.verify()).valid).toBe(true);
    expect(Buffer.from(store.serialize()).equals(before)).toBe(true);
    store.close();
  });
});
