import { expect, test } from "bun:test";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { openOrgStore } from "../../src/store/open.ts";
import { event, fill, finish, openMemory, storeWorld, withFile } from "./fixture.ts";

const bundles = (path: string) => {
  const db = openDatabase(path, { readonly: true });
  const rows = db.query<{ first: number; n: number }>("SELECT first, n FROM bundle ORDER BY first").all();
  db.close();
  return rows.map(({ first, n }) => [first, n]);
};

test("idle work merges small neighbours, leaves large bodies where they are, and ends", () => {
  withFile(path => {
    const store = openOrgStore({ path }, storeWorld());
    const large = JSON.stringify({ large: "x".repeat(900_000) });
    let n = 0;
    const commit = (count: number, change = {}) =>
      store.commit(() => {
        for (let i = 0; i < count; i++) store.log.append(event(n++, change));
      });
    for (let i = 0; i < 6; i++) commit(50);
    commit(1, { body: large });
    commit(1, { body: large });
    for (let i = 0; i < 19; i++) commit(38);
    for (let i = 0; i < 76; i++) commit(1);
    let steps = 0;
    while (store.log.tidy()) steps++;
    expect(steps).toBeLessThan(10);
    expect(finish(store.log.verify())).toMatchObject({ valid: true, count: n });
    expect(store.log.entry(301)?.body).toBe(large);
    store.close();
    const [first, second, third, ...rest] = bundles(path);
    expect([first, second, third]).toEqual([
      [0, 301],
      [301, 723],
      [1024, 65],
    ]);
    expect(rest.every(([, entries]) => entries === 1)).toBe(true);
  });
});

test("whoever reads the log in slices while it is merged gets every entry once", () => {
  withFile(path => {
    const store = openOrgStore({ path }, storeWorld());
    for (let n = 0; n < 1500; n++) store.commit(() => void store.log.append(event(n)));
    const [entries, leaves, rested] = [store.log.read(), store.log.leaves(), store.log.read(100, 1400)];
    const seqs: number[] = [];
    const lines: number[] = [];
    const window: number[] = [];
    const leafSeq = (leaf: Uint8Array) => JSON.parse(Buffer.from(leaf).toString()).seq as number;
    const take = (count: number) => {
      for (let i = 0; i < count; i++) {
        const [entry, leaf, inWindow] = [nextOf(entries), nextOf(leaves), nextOf(rested)];
        if (entry) seqs.push(entry.seq);
        if (leaf) lines.push(leafSeq(leaf));
        if (inWindow) window.push(inWindow.seq);
      }
    };
    take(70);
    while (store.log.tidy());
    take(1500);
    const all = Array.from({ length: 1500 }, (_, seq) => seq);
    expect(seqs).toEqual(all);
    expect(lines).toEqual(all);
    expect(window).toEqual(all.slice(100, 1400));
    store.close();
  });
});

const nextOf = <T>(iterable: Iterable<T>): T | undefined => iterable[Symbol.iterator]().next().value;

test("verification rests among many small bundles as it does in large ones", () => {
  const store = openMemory();
  for (let n = 0; n < 300; n++) fill(store, n + 1, { from: n, batch: 1 });
  const rests = () => [...store.log.verify({ tables: false, slice: 300 })].length;
  expect(rests()).toBeGreaterThan(25);
  while (store.log.tidy());
  expect(rests()).toBeLessThan(10);
  store.close();
});
