import { expect, test } from "bun:test";
import { DAY, SECOND, someone, testDirectory } from "../../test/directory.ts";

function begin() {
  const world = testDirectory();
  const { org } = someone(world.directory);
  const { idempotency } = world.directory;
  return { ...world, org, idempotency, start: (request = "body") => idempotency.begin(org, "key", request) };
}

test("the second time is answered with the first reply, for a day", () => {
  const { idempotency, org, start, wait } = begin();
  expect(start()).toEqual({ state: "fresh" });
  expect(start()).toEqual({ state: "under_way" });
  expect(start("other")).toEqual({ state: "differs" });
  idempotency.finish(org, "key", '{"a":"ü"}');
  expect(start()).toEqual({ state: "done", reply: '{"a":"ü"}' });
  expect(start("other")).toEqual({ state: "differs" });
  wait(DAY);
  expect(start("other")).toEqual({ state: "fresh" });
});

test("what failed may be tried again, what was left under way after a minute", () => {
  const { idempotency, org, start, wait } = begin();
  start();
  idempotency.abandon(org, "key");
  expect(start()).toEqual({ state: "fresh" });
  wait(60 * SECOND);
  expect(start("other")).toEqual({ state: "fresh" });
});

test("one organisation's key is not another's", () => {
  const { directory, idempotency, org, start } = begin();
  start();
  idempotency.finish(org, "key", "secret");
  const { org: other } = someone(directory, "admin", "eve");
  expect(idempotency.begin(other, "key", "body")).toEqual({ state: "fresh" });
});
