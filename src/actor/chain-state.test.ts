import { expect, test } from "bun:test";
import { event, fill, finish, openMemory, startMs, storeWorld, withFile } from "../../test/store/fixture.ts";
import { openOrgStore } from "../store/open.ts";
import type { OrgStore } from "../store/org-store.ts";
import { openDatabase } from "../store/sqlite/database.ts";
import type { Context } from "./answer.ts";
import { chainState, provedChain } from "./chain-state.ts";

const hour_ms = 3_600_000;

/** A context of which only the log, the time and the pauses are asked for. */
function around(store: OrgStore) {
  const pauses: (() => boolean)[] = [];
  const clock = { ms: startMs };
  const context = { store, now: () => clock.ms, later: (step: () => boolean) => void pauses.push(step) };
  const rest = () => {
    for (const step of pauses.splice(0)) while (step());
  };
  return {
    context: context as unknown as Context,
    pauses,
    clock,
    rest,
    state: () => finish(chainState(context as unknown as Context)),
  };
}

test("a long log is recomputed in pauses, one run at a time; nothing is said of it before its end", () => {
  const store = openMemory();
  fill(store, 9_000, { batch: 1_000 });
  const { pauses, state, rest } = around(store);
  expect(state()).toEqual({ valid: true, count: 0, whole: false });
  expect(pauses).toHaveLength(1);
  for (let n = 0; n < 4; n++) pauses[0]!();
  const halfway = state();
  expect(halfway.whole).toBe(false);
  expect(halfway.count).toBeGreaterThan(0);
  expect(halfway.count).toBeLessThan(9_000);
  expect(pauses).toHaveLength(1);
  rest();
  expect(state()).toEqual({ valid: true, count: 9_000, whole: true });
  expect(pauses).toHaveLength(0);
});

test("what comes after is recomputed at once; after an hour all of it again", () => {
  const store = openMemory();
  fill(store, 300);
  const { pauses, state, rest, clock } = around(store);
  expect(state()).toMatchObject({ valid: true, count: 300, whole: true });
  rest();
  fill(store, 500, { from: 300 });
  expect(state()).toEqual({ valid: true, count: 500, whole: true });
  rest();
  expect([state().count, pauses.length]).toEqual([500, 0]);
  clock.ms += hour_ms;
  state();
  expect(pauses).toHaveLength(1);
});

test("damage is found in a pause, and stays told", () => {
  withFile(path => {
    const store = openOrgStore({ path }, storeWorld());
    fill(store, 6_000, { batch: 1_000 });
    const { state, rest } = around(store);
    expect(state().valid).toBe(true);
    const db = openDatabase(path);
    db.exec("UPDATE bundle SET hashes = zeroblob(length(hashes)) WHERE first = 2048");
    db.close();
    rest();
    expect(state()).toMatchObject({ valid: false, whole: true });
    rest();
    expect(state().valid).toBe(false);
    expect(finish(provedChain(around(store).context)).chain.valid).toBe(false);
    store.close();
  });
});

test("what is signed is counted to the end of the log, whatever comes meanwhile, and only once", () => {
  const store = openMemory();
  fill(store, 3_000, { batch: 1_000 });
  const { context } = around(store);
  const steps = provedChain(context);
  for (let n = 0; n < 2; n++) expect(steps.next().done).toBe(false);
  fill(store, 3_500, { from: 3_000 });
  const { chain, counts } = finish(steps);
  expect(chain).toEqual({ valid: true, count: 3_500, whole: true });
  expect([counts.size, counts.events]).toEqual([3_500, 3_500]);
  store.commit(() => void store.log.append(event(3_500, { kind: "policy.decision", decision: "BLOCK" })));
  const [one, other] = [provedChain(context), provedChain(context)];
  expect([finish(one).counts.decisions.blocked, finish(other).counts.decisions.blocked]).toEqual([1, 1]);
});

test("an erased body proves its kind and its decision, no rule and no call", () => {
  const store = openMemory();
  const body = JSON.stringify({ rules: ["core.x"], action: { kind: "mcp", server: "fs", tool: "read" } });
  const judged = { kind: "policy.decision", decision: "BLOCK" as const, body };
  store.commit(() => {
    for (let n = 0; n < 3; n++) store.log.append(event(n, judged));
  });
  store.commit(() => void store.log.eraseBody(0));
  const { counts } = finish(provedChain(around(store).context));
  expect(counts.decisions).toEqual({ total: 3, asked: 0, blocked: 3 });
  expect([counts.rules.get("core.x"), counts.servers, counts.calls.length]).toEqual([2, 1, 2]);
});
