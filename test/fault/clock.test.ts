import { expect, test } from "bun:test";
import { clock } from "./clock.ts";
import { once } from "./harness.ts";

test("the clock may jump under load: nothing is lost, receipt times never go back, sessions end in time", async () => {
  const { acknowledged, problems } = await once(clock, [], 2, 20261121);
  expect(problems).toEqual([]);
  expect(acknowledged).toBeGreaterThan(50);
}, 300_000);

test("the harness catches a log that believes the clock", async () => {
  const { problems } = await once(clock, clock.mutant, 2, 5);
  expect(problems.join()).toMatch(clock.caught);
}, 300_000);
