import { expect, test } from "bun:test";
import { killAgainAndAgain, plantMutant } from "./kill.ts";

test("a server killed under load has lost and doubled nothing it acknowledged", async () => {
  const { acknowledged, problems } = await killAgainAndAgain(2, 20261121);
  expect(problems).toEqual([]);
  expect(acknowledged).toBeGreaterThan(50);
}, 120_000);

test("the harness catches a server that loses what it acknowledged", async () => {
  const mutant = plantMutant();
  const { problems } = await killAgainAndAgain(3, 7, mutant.main).finally(mutant.remove);
  expect(problems.join()).toContain("acknowledged events are lost");
}, 120_000);
