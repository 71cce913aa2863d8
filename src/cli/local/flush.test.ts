import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { ApiError, type EventsReply } from "../../client/api.ts";
import { homeOf } from "../../client/home.ts";
import { flush } from "./flush.ts";
import { openSpool, type Spool, type SpoolEvent, type SpoolLimits } from "./spool.ts";

let folder: string;
let spool: Spool;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "flush-"))));
afterEach(() => {
  spool.close();
  rmSync(folder, { recursive: true });
});

const open = (limits?: SpoolLimits) => (spool = openSpool(homeOf({ HOME: folder }), limits));
const event = (n: number): SpoolEvent => ({ id: `e${n}`, time: "2026-11-20T00:00:00.000Z", type: "shell.exec" });
const fill = (count: number) => {
  for (let n = 0; n < count; n++) spool.add(event(n));
};
const numbers = (count: number) => Array.from({ length: count }, (_, n) => `e${n}`);

/** A server that takes each event once; `fails` says what becomes of the request of that number. */
function serverWith(fails: (request: number) => ApiError | undefined = () => undefined) {
  const known = new Set<string>();
  const events: (SpoolEvent & { attributes?: { count: number } })[] = [];
  const batches: number[] = [];
  let requests = 0;
  return {
    events,
    batches,
    ids: () => events.map(({ id }) => id),
    client: {
      async events(packed: Uint8Array): Promise<EventsReply> {
        const failure = fails(++requests);
        if (failure) throw failure;
        const { events: sent } = JSON.parse(String(gunzipSync(packed))) as { events: SpoolEvent[] };
        const fresh = sent.filter(({ id }) => !known.has(id) && known.add(id));
        events.push(...fresh);
        batches.push(sent.length);
        const head = { seq: events.length, hash: "h" };
        return { accepted: fresh.length, duplicates: sent.length - fresh.length, rejected: [], head };
      },
    },
  };
}
const away = new ApiError(0, "unreachable", "away");

describe("flush", () => {
  test("a week without a server loses nothing: all of it goes, in order, in batches", async () => {
    open();
    const week = 7 * 300;
    fill(week);
    const server = serverWith();
    expect(await flush(spool, server.client, 500, Date.now)).toEqual({ sent: week, rejected: 0, left: 0 });
    expect(server.ids()).toEqual(numbers(week));
    expect([server.batches.length, Math.max(...server.batches), spool.depth()]).toEqual([5, 500, 0]);
    expect(JSON.parse(spool.get("head")!)).toEqual({ seq: week, hash: "h" });
  }, 300_000);

  test("the limits hold a month of a busy person's events", async () => {
    const { spoolLimits } = await import("./spool.ts");
    const month = 30 * 5000;
    expect(spoolLimits.events_max).toBeGreaterThan(month);
    expect(spoolLimits.bytes_max).toBeGreaterThan(month * 1024);
  });

  test("a server that goes away in the middle gets the rest later, and nothing twice", async () => {
    open();
    fill(30);
    const server = serverWith(request => (request === 2 ? away : undefined));
    await expect(flush(spool, server.client, 10, Date.now)).rejects.toBe(away);
    expect(spool.depth()).toBe(20);
    expect((await flush(spool, server.client, 10, Date.now)).sent).toBe(20);
    expect(server.ids()).toEqual(numbers(30));
  });

  test("a reply that was lost costs nothing: what is sent again is known", async () => {
    open();
    fill(10);
    const server = serverWith();
    const deaf = { events: async (packed: Uint8Array) => (await server.client.events(packed), Promise.reject(away)) };
    await expect(flush(spool, deaf, 10, Date.now)).rejects.toBe(away);
    expect(await flush(spool, server.client, 10, Date.now)).toEqual({ sent: 10, rejected: 0, left: 0 });
    expect(server.ids()).toEqual(numbers(10));
  });

  test("what the limits cost is told to the organisation, once, with the number", async () => {
    open({ events_max: 100, bytes_max: 1e9 });
    fill(250);
    const lost = 250 - spool.depth();
    const server = serverWith();
    await flush(spool, server.client, 500, Date.now);
    const told = server.events.filter(({ type }) => type === "spool.dropped");
    expect(told.map(({ attributes }) => attributes)).toEqual([{ count: lost }]);
    expect(server.ids().filter(id => id.startsWith("e"))).toEqual(numbers(250).slice(lost));
    spool.add(event(1000));
    await flush(spool, server.client, 500, Date.now);
    expect(server.events.filter(({ type }) => type === "spool.dropped")).toHaveLength(1);
  });

  test("events no server will ever take do not hold up the others; any other refusal does not lose them", async () => {
    open();
    fill(20);
    const server = serverWith(request => (request === 1 ? new ApiError(422, "rejected", "bad") : undefined));
    expect(await flush(spool, server.client, 10, Date.now)).toEqual({ sent: 10, rejected: 10, left: 0 });
    fill(30);
    for (const status of [401, 413, 429, 500, 503]) {
      const refusing = serverWith(() => new ApiError(status, "no", "no"));
      const before = spool.depth();
      await expect(flush(spool, refusing.client, 10, Date.now)).rejects.toThrow("no");
      expect([status, spool.depth()]).toEqual([status, before]);
    }
  });

  test("one at a time, over all processes; one that died is not waited for longer than its turn", async () => {
    open();
    fill(10);
    let now = 1_000_000;
    const waiting = flush(spool, { events: () => new Promise<EventsReply>(() => undefined) }, 10, () => now);
    void waiting;
    const server = serverWith();
    expect(await flush(spool, server.client, 10, () => now)).toEqual({ sent: 0, rejected: 0, left: 10 });
    now += 30_000;
    expect((await flush(spool, server.client, 10, () => now)).sent).toBe(10);
  });
});
