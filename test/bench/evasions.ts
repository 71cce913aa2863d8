/** Prints the share blocked and flagged of each technique, and of stacked transforms: `npm run fuzz:evasions -- [SEED] [--misses]`. */
import { decide } from "../../src/domain/policy/decide.ts";
import { shippedRulebook } from "./rulebook.ts";
import { evasions, stacked } from "../corpus/draw.ts";

const seed = Number(process.argv[2] ?? Date.now() % 1_000_000);
const book = shippedRulebook();
const decision = (command: string) => decide({ type: "shell", command }, book, "enforce").decision;

function report(name: string, commands: readonly string[]): void {
  const all = commands.map(command => ({ command, got: decision(command) }));
  const blocked = all.filter(({ got }) => got === "BLOCK").length;
  const flagged = all.filter(({ got }) => got === "BLOCK" || got === "ASK").length;
  const share = (n: number) => ((100 * n) / all.length).toFixed(2).padStart(6);
  console.log(
    `${name.padEnd(32)} n ${String(all.length).padStart(5)}  BLOCK ${share(blocked)}  flag ${share(flagged)}`,
  );
  if (process.argv.includes("--misses"))
    for (const { command, got } of all)
      if (got !== "BLOCK") console.log(`    ${got.padEnd(5)} ${JSON.stringify(command)}`);
}

console.log(`seed ${seed}`);
for (const [name, commands] of evasions()) report(name, commands);
report(
  "all techniques",
  evasions().flatMap(([, commands]) => commands),
);
report("stacks of 1 to 4 transforms", stacked(seed, 4000));
