import { expect, test } from "bun:test";
import { DemoHost, type DemoParts } from "./demo-host.ts";
import type { Seed } from "./demo-seed.ts";
import type { FromWorker } from "./protocol.ts";

const MINUTE_MS = 60_000;

/** A host whose company is built by hand: `later` holds what it put off. */
function begin() {
  const clock = { ms: 1_000_000 };
  const posted: FromWorker[] = [];
  const later: (() => void)[] = [];
  let built = 0;
  let fails = false;
  const seed: DemoParts["seed"] = function* () {
    yield undefined;
    if (fails) throw new Error("the scenario is damaged");
    built++;
    return { name: "Fernleaf", built_ms: clock.ms, members: [], alive: [] } as unknown as Seed;
  };
  const parts = {
    now: () => clock.ms,
    id: () => `org_${posted.length}`,
    random: (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)),
    ...{ capacity: 10, idle_s: 3600 },
    post: (message: FromWorker) => void posted.push(message),
    soon: (work: () => void) => void later.push(work),
    ...{ nowhere: {}, seed, clone: () => ({}) },
  } as unknown as DemoParts;
  const host = new DemoHost(parts);
  let id = 0;
  const ask = (question: string) => {
    host.ask({ kind: "ask", id: ++id, org: "", question, input: null });
    return () => posted.find(message => "id" in message && message.id === id);
  };
  const build = () => {
    while (later.length > 0) later.shift()!();
  };
  return { clock, host, ask, build, built: () => built, fail: (on: boolean) => void (fails = on) };
}

test("once warm, a visitor is answered at once", () => {
  const { ask, build, built } = begin();
  const warm = ask("demo.warm");
  build();
  expect([warm(), built()]).toMatchObject([{ kind: "answer", answer: null }, 1]);
  expect(ask("demo.open")()).toMatchObject({ kind: "answer", answer: { expires_in: 3600 } });
  expect(built()).toBe(1);
});

test("a company half an hour old is built anew without a visitor, and only once it was built at all", () => {
  const { ask, build, built, clock, host } = begin();
  host.tick();
  build();
  expect(built()).toBe(0);
  ask("demo.warm");
  build();
  clock.ms += 31 * MINUTE_MS;
  host.tick();
  host.tick();
  build();
  expect(built()).toBe(2);
  expect(ask("demo.open")()).toMatchObject({ kind: "answer" });
});

test("what cannot be built is told, and tried again for the next", () => {
  const { ask, build, fail } = begin();
  fail(true);
  const first = ask("demo.open");
  build();
  expect(first()).toMatchObject({ kind: "failed", cause: expect.stringContaining("damaged") });
  fail(false);
  const second = ask("demo.open");
  build();
  expect(second()).toMatchObject({ kind: "answer" });
});
