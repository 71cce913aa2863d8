/**
 * `npm run fault [harness …] [--rounds N] [--seed N]`: every kind of fault against the sound program, which must lose and double
 * nothing it acknowledged, and against a planted mutant, which must be caught. What cannot run here says why.
 */
import { parseArgs } from "node:util";
import { clock } from "./clock.ts";
import { diskFull } from "./disk-full.ts";
import { type Harness, prove } from "./harness.ts";
import { ioError } from "./io-error.ts";
import { killServer } from "./kill.ts";
import { killWorker } from "./kill-worker.ts";
import { powerCut } from "./power-cut.ts";

const harnesses: readonly Harness[] = [killServer, killWorker, powerCut, ioError, diskFull, clock];
const { values, positionals } = parseArgs({
  options: { rounds: { type: "string" }, seed: { type: "string" } },
  allowPositionals: true,
});
const seed = Number(values.seed ?? Date.now() % 1e9);
const unknown = positionals.filter(name => !harnesses.some(harness => harness.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no harness ${unknown.join(", ")}. There are: ${harnesses.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(2);
}

let failed = 0;
let absent = 0;
for (const harness of harnesses) {
  if (positionals.length > 0 && !positionals.includes(harness.name)) continue;
  const missing = harness.missing();
  if (missing !== undefined) {
    absent++;
    console.log(`${harness.name}: NOT RUN here: ${missing}`);
    continue;
  }
  const rounds = Number(values.rounds ?? harness.rounds);
  console.log(`${harness.name}: ${rounds} rounds, seed ${seed}`);
  const { sound, mutant, caught } = await prove(harness, rounds, seed);
  if (sound.acknowledged === 0) sound.problems.push("nothing was acknowledged, so nothing was shown");
  console.log(`  ${sound.acknowledged} events acknowledged; ${sound.told}`);
  for (const problem of sound.problems) console.log(`  FAILED: ${problem}`);
  console.log(
    caught
      ? `  the mutant was caught: ${caught}`
      : `  FAILED: the mutant was not caught (${mutant.told}; ${mutant.problems.join("; ") || "no problem seen"})`,
  );
  if (sound.problems.length > 0 || !caught) failed++;
}
console.log(`${failed} harnesses failed, ${absent} could not run here.`);
process.exit(failed > 0 ? 1 : 0);
