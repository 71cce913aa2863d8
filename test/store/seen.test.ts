import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openOrgStore } from "../../src/store/open.ts";
import type { OrgStore } from "../../src/store/org-store.ts";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { event, finish, openMemory, storeWorld, withFile } from "./fixture.ts";

const uuid = (n: number) => `0190a000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
const dayMs = 86_400_000;

/** Sends an id; true when it was new. */
const send = (store: OrgStore, agent: string, n: number) =>
  store.log.append(event(n, { agent, id: uuid(n) })) !== "duplicate";

const rows = (path: string, table: string) => {
  const db = openDatabase(path, { readonly: true });
  const { n } = db.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()!;
  db.close();
  return n;
};

describe("ids of small commits", () => {
  test("are known whatever commands fail, however large they are, after days, rests and restarts", () => {
    const command = fc.record({
      agent: fc.constantFrom("a", "b", "c"),
      from: fc.integer({ min: 0, max: 600 }),
      // From 64 on they are a run of their own.
      count: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 60, max: 70 })),
      fails: fc.integer({ min: 0, max: 4 }).map(n => n === 0),
    });
    const then = fc.constantFrom("nothing", "nothing", "restart", "rest", "tidy", "next day");
    const plan = fc.array(fc.tuple(fc.array(command, { maxLength: 4 }), then), { maxLength: 25 });
    fc.assert(
      fc.property(plan, commits => {
        const world = storeWorld();
        let store = openMemory(world);
        const known = new Set<string>();
        for (const [commands, next] of commits) {
          store.commit(() => {
            for (const { agent, from, count, fails } of commands) {
              const numbers = Array.from({ length: count }, (_, i) => from + i);
              const run = () => {
                for (const n of numbers) expect(send(store, agent, n)).toBe(!known.has(`${agent} ${n}`));
                if (fails) throw new Error("no");
                for (const n of numbers) known.add(`${agent} ${n}`);
              };
              if (fails) expect(() => store.attempt(run)).toThrow("no");
              else store.attempt(run);
            }
          });
          if (next === "restart") store = openOrgStore({ image: store.serialize() }, world);
          else if (next === "rest") store.rest();
          else if (next === "tidy") store.log.tidy();
          else if (next === "next day") world.clock.ms += dayMs;
        }
        expect(store.log.head().size).toBe(known.size);
        expect(finish(store.log.verify())).toMatchObject({ valid: true });
      }),
      { numRuns: 60 },
    );
  });

  test("become runs of each agent after 128 commits or 2,048 ids, so that there are few rows of either", () =>
    withFile(path => {
      const store = openOrgStore({ path }, storeWorld());
      const agents = Array.from({ length: 16 }, (_, n) => `agt_${n}`);
      const all = (count: number, from: number) =>
        store.commit(() => agents.map(agent => Array.from({ length: count }, (_, i) => send(store, agent, from + i))));
      for (let n = 0; n < 300; n++) expect(all(1, n).flat()).not.toContain(false);
      expect([rows(path, "seen_run"), rows(path, "seen_recent")]).toEqual([2 * 16, 300 - 2 * 128]);
      for (let n = 0; n < 5; n++) all(60, 300 + n * 60);
      expect([rows(path, "seen_run"), rows(path, "seen_recent")]).toEqual([3 * 16, 3]);
      for (let n = 0; n < 600; n += 60) expect(all(60, n).flat()).not.toContain(true);
      store.close();
    }));

  test("an agent's own run comes behind what was recent of it", () => {
    const store = openMemory();
    const some = (from: number, count: number) =>
      store.commit(() => Array.from({ length: count }, (_, i) => send(store, "a", from + i)));
    expect([some(0, 3), some(3, 64), some(67, 2), some(69, 100)].flat()).not.toContain(false);
    expect(some(0, 169)).not.toContain(true);
  });

  for (const [what, sql] of Object.entries({
    "cut off": "UPDATE seen_recent SET ids = substr(ids, 1, 30)",
    "out of order": "INSERT INTO seen_recent SELECT day, ids FROM seen_recent",
    empty: "UPDATE seen_recent SET ids = zeroblob(8)",
  }))
    test(`that are ${what} are found by verification`, () =>
      withFile(path => {
        const store = openOrgStore({ path }, storeWorld());
        store.commit(() => [1, 2].map(n => send(store, "a", n)));
        const db = openDatabase(path);
        db.exec(sql);
        db.close();
        const { valid, first_break } = finish(store.log.verify());
        expect([valid, first_break?.expected]).toEqual([false, "a sound table seen_recent"]);
        store.close();
      }));
});
