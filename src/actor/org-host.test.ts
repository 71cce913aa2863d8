import { afterEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKeys } from "../key-files.ts";
import { openOrgStore } from "../store/open.ts";
import type { OrgStore } from "../store/org-store.ts";
import { openDatabase } from "../store/sqlite/database.ts";
import { openWorld } from "./open-world.ts";
import { OrgHost } from "./org-host.ts";
import type { FromWorker, Intro } from "./protocol.ts";

/** A host over real files whose disk the test spoils. */
const folders: string[] = [];
afterEach(() => folders.splice(0).forEach(folder => void rmSync(folder, { recursive: true, force: true })));

const full = () => Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
const damaged = () => Object.assign(new Error("database disk image is malformed"), { code: "SQLITE_CORRUPT" });
const failing = () => Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_FSYNC" });
const intro: Intro = { recorded: null, standing: { entitled: false, retention_days: null } };

function hostOnDisk() {
  const data = mkdtempSync(join(tmpdir(), "gatehouse-host-"));
  folders.push(data);
  mkdirSync(join(data, "orgs"));
  const spoiled: { commit?: () => Error; read?: () => Error; tidy?: () => Error } = {};
  const opened: (boolean | undefined)[] = [];
  const closed: string[] = [];
  const rested: string[] = [];
  const openStore: typeof openOrgStore = (place, world) => {
    if ("path" in place) opened.push(place.after_failure);
    return spoil(openOrgStore(place, world), spoiled, {
      close: () => void closed.push(world.origin),
      rest: () => void rested.push(world.origin),
    });
  };
  const said: FromWorker[] = [];
  const clock = new SharedArrayBuffer(8);
  const keys = openKeys(join(data, "keys"), { fresh: true, now: Date.now });
  const start = { kind: "start" as const, orgs: join(data, "orgs"), keys, stores_max: 30, heartbeat_s: 60, clock };
  const advance = (ms: number) => void (new Float64Array(clock)[0]! += ms);
  const host = new OrgHost({ ...openWorld(start, openStore, message => void said.push(message)), soon: () => {} });
  let id = 0;
  const ask = (question: string, input: unknown = null, org = "org_a") => {
    host.ask({ kind: "ask", id: ++id, org, question, input, intro });
    return id;
  };
  const reply = (asked: number) => said.find(message => "id" in message && message.id === asked);
  const setMode = (mode: string, org?: string) =>
    ask("org.set_mode", { mode, actor: { kind: "system", id: "test" } }, org);
  const alarms = () => said.flatMap(message => (message.kind === "log" ? [message.message] : []));
  return { host, ask, reply, setMode, spoiled, opened, closed, rested, alarms, advance, data };
}

function spoil(
  store: OrgStore,
  spoiled: { commit?: () => Error; read?: () => Error; tidy?: () => Error },
  seen: { close(): void; rest(): void },
) {
  const failIf = (error: (() => Error) | undefined) => {
    if (error) throw error();
  };
  const { log } = store;
  return new Proxy(store, {
    get(target, name) {
      if (name === "commit")
        return <T>(work: () => T) =>
          target.commit(() => {
            const result = work();
            failIf(spoiled.commit);
            return result;
          });
      if (name === "settings") failIf(spoiled.read);
      if (name === "log")
        return new Proxy(log, {
          get(inner, member) {
            if (member === "tidy") failIf(spoiled.tidy);
            const value = Reflect.get(inner, member, inner);
            return typeof value === "function" ? value.bind(inner) : value;
          },
        });
      if (name === "close" || name === "rest") seen[name]();
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

test("without room writes are refused and nothing is stored, reads go on, and room makes it well again", () => {
  const { host, ask, reply, setMode, spoiled, opened, alarms } = hostOnDisk();
  setMode("audit-only");
  host.flush();
  spoiled.commit = full;
  const refused = [setMode("enforce"), setMode("enforce")];
  host.flush();
  for (const id of refused) expect(reply(id)).toMatchObject({ kind: "refused", code: "storage_full" });
  expect(reply(ask("org.mode"))).toMatchObject({ kind: "answer", answer: { mode: "audit-only" } });
  spoiled.tidy = full;
  host.tick();
  expect(alarms()).toEqual(["there is no room left: writes are refused"]);
  delete spoiled.commit;
  delete spoiled.tidy;
  const again = setMode("enforce");
  host.flush();
  expect(reply(again)).toMatchObject({ kind: "answer", answer: { mode: "enforce" } });
  expect(opened.length).toBe(1);
});

test("the organisations asked last keep what they have read, the others and quiet ones let go of it and answer as before", () => {
  const { host, ask, reply, setMode, rested, opened, advance } = hostOnDisk();
  const orgs = Array.from({ length: 20 }, (_, n) => `org_${n}`);
  for (const org of orgs) setMode("audit-only", org);
  host.flush();
  const stats = () => orgs.map(org => (reply(ask("audit.stats", {}, org)) as { answer: object }).answer);
  const before = stats();
  host.tick();
  expect(rested).toEqual(["gatehouse/org_3", "gatehouse/org_2", "gatehouse/org_1", "gatehouse/org_0"]);
  host.tick();
  expect(rested.length).toBe(4);
  advance(61_000);
  host.tick();
  expect(rested.length).toBe(20);
  expect(stats()).toEqual(before);
  for (const org of orgs) setMode("enforce", org);
  host.flush();
  for (const org of orgs) expect(reply(ask("org.mode", null, org))).toMatchObject({ answer: { mode: "enforce" } });
  expect(opened.length).toBe(20);
});

test("an idle host merges bundles, one step a second; while a write waits it does not", () => {
  const { host, setMode, data } = hostOnDisk();
  const bundles = () => {
    const db = openDatabase(join(data, "orgs", "org_a.sqlite"), { readonly: true });
    const { n } = db.query<{ n: number }>("SELECT count(*) AS n FROM bundle").get()!;
    db.close();
    return n;
  };
  for (let n = 0; n < 200; n++) {
    setMode(n % 2 === 0 ? "enforce" : "audit-only");
    host.flush();
  }
  const all = bundles();
  setMode("enforce");
  host.tick();
  expect(bundles()).toBe(all);
  host.flush();
  host.tick();
  const once = bundles();
  expect([all > 190, once > 100 && once < all]).toEqual([true, true]);
  for (let n = 0; n < 10; n++) host.tick();
  expect(bundles()).toBeLessThan(80);
  host.close();
});

test("a file whose sync fails is closed, and opened again with its end looked through; others are not touched", () => {
  const { host, ask, reply, setMode, spoiled, opened, closed, alarms } = hostOnDisk();
  setMode("audit-only");
  host.flush();
  spoiled.commit = failing;
  const refused = setMode("enforce");
  host.flush();
  expect(reply(refused)).toMatchObject({ kind: "refused", code: "unavailable" });
  expect(closed.length).toBe(1);
  delete spoiled.commit;
  expect(reply(ask("org.mode", null, "org_b"))).toMatchObject({ kind: "answer" });
  expect(reply(ask("org.mode"))).toMatchObject({ kind: "answer", answer: { mode: "audit-only" } });
  expect(opened).toEqual([false, false, true]);
  const again = setMode("enforce");
  host.flush();
  expect(reply(again)).toMatchObject({ kind: "answer" });
  expect(alarms()).toEqual(["an organisation's file failed and is opened again"]);
  host.close();
});

test("reads and idle work that fail close the file too; what waits and what runs long is answered with an error", () => {
  const { host, ask, reply, setMode, spoiled, opened } = hostOnDisk();
  setMode("audit-only");
  host.flush();
  const waits = setMode("enforce");
  const long = ask("org.rebuild");
  spoiled.read = failing;
  const read = ask("org.mode");
  for (const id of [read, waits, long]) expect(reply(id)).toMatchObject({ kind: "refused", code: "unavailable" });
  delete spoiled.read;
  expect(reply(ask("org.mode"))).toMatchObject({ kind: "answer", answer: { mode: "audit-only" } });
  host.flush();
  spoiled.tidy = failing;
  host.tick();
  delete spoiled.tidy;
  expect(reply(ask("org.mode"))).toMatchObject({ kind: "answer", answer: { mode: "audit-only" } });
  expect(opened).toEqual([false, true, true]);
});

test("a read that fails looks like damage: the file is opened again; damage that stays makes it read-only", () => {
  const { host, ask, reply, setMode, spoiled, opened, advance } = hostOnDisk();
  setMode("audit-only");
  host.flush();
  spoiled.read = damaged;
  expect(reply(ask("org.mode"))).toMatchObject({ kind: "refused", code: "unavailable" });
  delete spoiled.read;
  expect(reply(ask("org.mode"))).toMatchObject({ kind: "answer", answer: { mode: "audit-only" } });
  expect(opened).toEqual([false, true]);
  advance(11_000);
  spoiled.read = damaged;
  ask("org.mode");
  delete spoiled.read;
  const refused = setMode("enforce");
  host.flush();
  expect(reply(refused)).toMatchObject({ kind: "refused", code: "read_only" });
});

test("a head once acknowledged is remembered over the failure: a file that came back shorter is read-only", () => {
  const { host, ask, reply, setMode, spoiled, advance } = hostOnDisk();
  setMode("audit-only");
  host.flush();
  spoiled.commit = failing;
  setMode("enforce");
  host.flush();
  delete spoiled.commit;
  for (const suffix of ["", "-wal", "-shm"])
    rmSync(join(folders[0]!, "orgs", `org_a.sqlite${suffix}`), { force: true });
  expect(reply(ask("org.mode"))).toMatchObject({ kind: "refused", code: "unavailable" });
  advance(11_000);
  expect(reply(ask("org.mode"))).toMatchObject({ kind: "answer" });
  const refused = setMode("audit-only");
  host.flush();
  expect(reply(refused)).toMatchObject({ kind: "refused", code: "read_only" });
});
