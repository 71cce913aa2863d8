import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Home, homeOf } from "../../client/home.ts";
import { openSpool, type Spool, type SpoolLimits } from "./spool.ts";

let folder: string;
let home: Home;
let open: Spool[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spool-"));
  home = homeOf({ HOME: folder });
});
afterEach(() => {
  for (const spool of open) spool.close();
  open = [];
  rmSync(folder, { recursive: true });
});
const spool = (limits?: SpoolLimits): Spool => {
  const made = openSpool(home, limits);
  open.push(made);
  return made;
};
const event = (id: string, extra = {}) => ({ id, time: "2026-11-20T00:00:00.000Z", type: "shell.exec", ...extra });
const ids = (lines: string[]) => lines.map(line => (JSON.parse(line) as { id: string }).id);

describe("events wait until the server has them", () => {
  test("in order, each once, also for a second process", () => {
    const first = spool();
    for (const id of ["a", "b", "a", "c"]) first.add(event(id));
    const second = spool();
    second.add(event("d"));
    const batch = first.batch(3, 1e6);
    expect(ids(batch.lines)).toEqual(["a", "b", "c"]);
    second.acknowledge(batch.upto);
    expect(ids(first.batch(10, 1e6).lines)).toEqual(["d"]);
    expect(first.depth()).toBe(1);
  });

  test("a batch keeps to its bytes but never stands still", () => {
    const one = spool();
    for (const id of ["a", "b"]) one.add(event(id, { pad: "x".repeat(500) }));
    expect(ids(one.batch(10, 700).lines)).toEqual(["a"]);
    expect(ids(one.batch(10, 10).lines)).toEqual(["a"]);
  });

  test("beyond the limits the oldest go, and how many is told once", () => {
    const one = spool({ events_max: 20, bytes_max: 1e9 });
    for (let n = 0; n < 50; n++) one.add(event(`e${n}`));
    const dropped = 50 - one.depth();
    expect(one.depth()).toBeLessThanOrEqual(21);
    expect(ids(one.batch(100, 1e6).lines).at(-1)).toBe("e49");
    expect([one.takeDropped(), one.takeDropped()]).toEqual([dropped, 0]);
  });

  test("bytes are bounded as well, and freed when acknowledged", () => {
    const one = spool({ events_max: 1e6, bytes_max: 10_000 });
    for (let n = 0; n < 100; n++) one.add(event(`e${n}`, { pad: "x".repeat(400) }));
    expect(one.depth()).toBeLessThan(30);
    const { upto, lines } = one.batch(1000, 1e6);
    one.acknowledge(upto);
    expect([one.depth(), one.get("bytes"), lines.length > 10]).toEqual([0, "0", true]);
  });
});

test("a damaged file is set aside, and what comes next is kept and says so", () => {
  mkdirSync(home.folder);
  writeFileSync(home.spool, "this is no database ".repeat(400));
  const one = spool();
  one.add(event("after"));
  expect(ids(one.batch(10, 1e6).lines)).toEqual([expect.stringMatching(/^spool-damaged:\d+$/), "after"]);
  const aside = readdirSync(home.folder).find(name => name.startsWith("spool.sqlite.damaged-"))!;
  expect(readFileSync(join(home.folder, aside), "utf8")).toStartWith("this is no database");
  expect(ids(spool().batch(10, 1e6).lines)).toHaveLength(2);
});

test("work is claimed once in its time, over all processes, and a clock set back does not lock it out", () => {
  const [one, two] = [spool(), spool()];
  expect([one.claim("flush", 1000, 500), two.claim("flush", 1400, 500), two.claim("flush", 1500, 500)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(one.claim("flush", 10, 500)).toBe(true);
});

test("only the owner may enter the folder", () => {
  spool();
  expect(statSync(home.folder).mode & 0o077).toBe(0);
});
