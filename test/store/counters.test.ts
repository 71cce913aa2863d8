import { expect, test } from "bun:test";
import { copyFileSync, existsSync } from "node:fs";
import fc from "fast-check";
import type { NewEntry } from "../../src/store/log.ts";
import { openOrgStore } from "../../src/store/open.ts";
import type { OrgStore } from "../../src/store/org-store.ts";
import { deserializeDatabase } from "../../src/store/sqlite/database.ts";
import { event, fill, finish, openMemory, storeWorld, withFile } from "./fixture.ts";

const decisions = ["ALLOW", "WARN", "ASK", "BLOCK"] as const;

/** An entry that counts in each way there is. */
const varied = (n: number): NewEntry =>
  event(n, {
    decision: decisions[n % 4]!,
    kind: ["shell.exec", "mcp.call", "file.write"][n % 3]!,
    facets: {
      ...(n % 3 === 1 ? { server: `srv-${n % 2}`, tool: `tool-${n % 5}` } : {}),
      ...(n % 7 === 0 ? { rules: ["a.b"] } : {}),
      ...(n % 11 === 0 ? { echo: true } : {}),
    },
  });

const sorted = <T>(values: T[]): T[] =>
  values
    .map(value => [JSON.stringify(value), value] as const)
    .sort()
    .map(([, value]) => value);
const told = ({ audit }: OrgStore) => [
  audit.stats({}),
  audit.stats({ bucket: "day" }),
  audit.mcpServers(),
  sorted(["agt_0", "agt_1", "agt_2", "agt_nobody"].flatMap(agent => audit.mcpCalls(agent))),
];

/** What a count of everything from the start says. */
function recounted(path: string): unknown {
  for (const end of ["", "-wal"]) if (existsSync(path + end)) copyFileSync(path + end, `${path}.copy${end}`);
  const store = openOrgStore({ path: `${path}.copy` }, storeWorld());
  finish(store.rebuild());
  const answers = told(store);
  store.close();
  return answers;
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant("commit"), n: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("commit"), n: fc.integer({ min: 3_000, max: 9_000 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constantFrom("fail", "crash", "close", "ask", "tidy", "rebuild"),
      n: fc.integer({ min: 1, max: 40 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("singles"), n: fc.integer({ min: 20, max: 60 }) }) },
);

test("no entry is lost from the counters or counted twice, whatever happens between commits", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 4, maxLength: 20 }), steps =>
      withFile(path => {
        const world = storeWorld();
        let store = openOrgStore({ path }, world);
        let next = 0;
        const append = (n: number) => {
          for (const end = next + n; next < end; next++) store.log.append(varied(next));
        };
        const commit = (n: number) => {
          world.clock.ms += 60_000 * n;
          store.commit(() => append(n));
        };
        const acts: Record<string, (n: number) => void> = {
          commit,
          singles: n => {
            for (let i = 0; i < n; i++) commit(1);
          },
          fail: n => {
            const before = next;
            expect(() =>
              store.commit(() => {
                append(n);
                throw new Error("no");
              }),
            ).toThrow("no");
            next = before;
          },
          // What a killed process leaves: nothing written on the way out.
          crash: () => void (store = openOrgStore({ path }, world)),
          close: () => {
            store.close();
            store = openOrgStore({ path }, world);
          },
          ask: () => expect(told(store)[0]).toMatchObject({ total: next }),
          tidy: () => {
            while (store.log.tidy());
          },
          rebuild: () => finish(store.rebuild()),
        };
        for (const { what, n } of steps) acts[what]!(n);
        expect(store.audit.stats({}).total).toBe(next);
        expect(told(store)).toEqual(recounted(path) as ReturnType<typeof told>);
        store.close();
      }),
    ),
    // Each step of shrinking would take as long as a run.
    { numRuns: 10, endOnFailure: true },
  );
}, 300_000);

test("a bundle merged over the place where the stored counters end is counted from there on", () =>
  withFile(path => {
    const writer = openOrgStore({ path }, storeWorld());
    fill(writer, 8_200, { batch: 4_100 });
    fill(writer, 9_300, { from: 8_200, batch: 50 });
    while (writer.log.tidy());
    writer.close();
    const store = openOrgStore({ path }, storeWorld());
    expect(store.audit.stats({}).total).toBe(9_300);
    expect(told(store)).toEqual(recounted(path) as ReturnType<typeof told>);
    store.close();
  }));

test("stored counters tell clients and rules apart, and are not more for many tools", () => {
  const world = storeWorld();
  const store = openMemory(world);
  const facets = (n: number) => ({
    client: ["codex", "cursor"][n % 2]!,
    server: `srv-${n % 7}`,
    tool: `tool-${n % 50}`,
    ...(n % 3 === 0 ? { rules: ["a.b", `c.${n % 2}`] } : {}),
  });
  const [rules, clients] = [new Map<string, number>(), new Map<string, number>()];
  const count = (map: Map<string, number>, name: string) => void map.set(name, (map.get(name) ?? 0) + 1);
  store.commit(() => {
    for (let n = 0; n < 9_000; n++) {
      const { client, rules: matched = [], ...call } = facets(n) as ReturnType<typeof facets> & { rules?: string[] };
      store.log.append(event(n, { facets: { client, ...call, rules: matched } }));
      count(clients, client);
      for (const rule of matched) count(rules, rule);
    }
  });
  const { by_client, by_rule } = store.audit.stats({});
  expect(by_client).toEqual(Object.fromEntries(clients));
  expect(Object.fromEntries(by_rule.map(({ rule, count }) => [rule, count]))).toEqual(Object.fromEntries(rules));
  const stored = deserializeDatabase(store.serialize());
  const sql = "SELECT count(DISTINCT id) AS ids FROM tally WHERE of = 3";
  expect(stored.query<{ ids: number }>(sql).get()).toEqual({ ids: 4 });
  store.close();
});
