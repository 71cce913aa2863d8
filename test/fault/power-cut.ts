/** The power goes while a server works: what was not synced is gone, the ledger outside is not. */
import { join } from "node:path";
import type { Harness, Outcome, RunOptions } from "./harness.ts";
import { Ledger } from "./ledger.ts";
import { loopMissing, makeLoopDisk } from "./loop-disk.ts";
import { doesNotSync } from "./mutants.ts";
import { boot, connect, examine, kill, sleep, storm } from "./storm.ts";

async function run({ rounds, next, main }: RunOptions): Promise<Outcome> {
  const disk = makeLoopDisk(512);
  const ledger = new Ledger();
  const problems: string[] = [];
  const place = { data: join(disk.folder, "data"), ...(main ? { main } : {}) };
  let agent = "";
  let cuts = 0;
  try {
    for (let round = 0; round <= rounds; round++) {
      const booted = await boot(place);
      agent ||= await connect(booted);
      if (round > 0) problems.push(...(await examine(booted, ledger)).map(problem => `cut ${round}: ${problem}`));
      if (round === rounds || problems.length > 0) {
        await kill(booted);
        break;
      }
      const weather = storm({ url: booted.url, agent, ledger, name: String(round), next });
      await sleep(300 + next() * 1200);
      // The processor stops with the disk: nothing a system call returns after the cut may reach a client any more.
      process.kill(booted.server.pid, "SIGSTOP");
      disk.cut();
      cuts++;
      await sleep(50);
      await kill(booted);
      await weather.stop();
      disk.unmount();
      disk.mount();
    }
  } finally {
    disk.remove();
  }
  return { acknowledged: ledger.size, problems, told: `the power was cut ${cuts} times` };
}

export const powerCut: Harness = {
  name: "power-cut",
  rounds: 8,
  missing: loopMissing,
  mutant: [doesNotSync],
  caught: /acknowledged events are lost|is not in the log|cannot be read/,
  run,
};
