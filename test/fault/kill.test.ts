import { expect, test } from "bun:test";
import { once } from "./harness.ts";
import { killServer } from "./kill.ts";

test("a server killed under load has lost and doubled nothing it acknowledged", async () => {
  const { acknowledged, problems } = await once(killServer, [], 2, 20261121);
  expect(problems).toEqual([]);
  expect(acknowledged).toBeGreaterThan(50);
}, 300_000);

test("the harness catches a server that loses what it acknowledged", async () => {
  const { problems } = await once(killServer, killServer.mutant, 3, 7);
  expect(problems.join()).toMatch(killServer.caught);
}, 300_000);
