/** kill -9 of a server under load, again and again on the same data. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Harness, Outcome, RunOptions } from "./harness.ts";
import { Ledger } from "./ledger.ts";
import { losesEvents } from "./mutants.ts";
import { boot, connect, examine, kill, raging, sleep, storm } from "./storm.ts";

async function run({ rounds, next, main }: RunOptions): Promise<Outcome> {
  const data = mkdtempSync(join(tmpdir(), "gatehouse-fault-"));
  const ledger = new Ledger();
  const problems: string[] = [];
  let agent = "";
  let kills = 0;
  for (let round = 0; round <= rounds && problems.length === 0; round++) {
    const booted = await boot({ data, ...(main ? { main } : {}) });
    agent ||= await connect(booted);
    if (round > 0) problems.push(...(await examine(booted, ledger)).map(problem => `round ${round}: ${problem}`));
    if (round < rounds && problems.length === 0) {
      const weather = storm({ url: booted.url, agent, ledger, name: String(round), next });
      await raging(ledger);
      await sleep(next() * 700);
      await kill(booted);
      await weather.stop();
      kills++;
    } else await kill(booted);
  }
  rmSync(data, { recursive: true, force: true });
  return { acknowledged: ledger.size, problems, told: `killed ${kills} times` };
}

export const killServer: Harness = {
  name: "kill",
  rounds: 10,
  missing: () => undefined,
  mutant: [losesEvents],
  caught: /acknowledged events are lost/,
  run,
};
