/** The organisation's thread dies or spins under load, again and again, while the server lives on. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Harness, Outcome, RunOptions } from "./harness.ts";
import { Ledger } from "./ledger.ts";
import { losesEvents, type Mutation } from "./mutants.ts";
import { boot, connect, examine, kill, sleep, storm } from "./storm.ts";

/** A thread cannot be killed from outside: this copy carries its own death. One in three spins instead. */
const mortal: Mutation = {
  file: "workers/org.ts",
  sound: "declare const self: ThreadScope;",
  mutated: `declare const self: ThreadScope;
setTimeout(
  () => {
    if (Math.random() < 0.3) for (;;);
    throw new Error("killed");
  },
  300 + Math.random() * 900,
);`,
};

async function run({ rounds, next, main }: RunOptions): Promise<Outcome> {
  const data = mkdtempSync(join(tmpdir(), "gatehouse-fault-"));
  const ledger = new Ledger();
  const booted = await boot({ data, main: main! });
  const agent = await connect(booted);
  const weather = storm({ url: booted.url, agent, ledger, name: "w", next });
  await sleep(rounds * 1500);
  const seen = await weather.stop();
  const deaths = booted.server.err().split("a worker was replaced").length - 1;
  await kill(booted);
  // Examined by a server whose threads live.
  const after = await boot({ data });
  const problems = await examine(after, ledger);
  await kill(after);
  rmSync(data, { recursive: true, force: true });
  if (deaths < rounds / 2) problems.push(`only ${deaths} threads died`);
  if (seen[0]) problems.push(`${seen[0]} requests got no answer at all`);
  return {
    acknowledged: ledger.size,
    problems,
    told: `${deaths} threads died; replies by status: ${JSON.stringify(seen)}`,
  };
}

export const killWorker: Harness = {
  name: "kill-worker",
  rounds: 10,
  missing: () => undefined,
  always: [mortal],
  mutant: [losesEvents],
  caught: /acknowledged events are lost/,
  run,
};
