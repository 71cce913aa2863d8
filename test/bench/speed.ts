/**
 * Time of one decision in process: `npm run bench:speed [-- --packs FOLDER]`. Each command is judged many times; per command
 * the median counts, so that a busy machine moves the figures little. Hostile shapes are measured once each at 32 KB.
 */
import { parse } from "unbash";
import { decide } from "../../src/domain/policy/decide.ts";
import { findings } from "../../src/domain/policy/engine/findings.ts";
import { hardCommands } from "../corpus/hard-commands.ts";
import { hostileShapes } from "../corpus/hostile-shapes.ts";
import { shippedRulebook } from "./rulebook.ts";

const rulebook = shippedRulebook();
const rounds = 400;

function medians(body: (command: string) => unknown): number[] {
  for (let n = 0; n < 60; n++) for (const command of hardCommands) body(command);
  const took = hardCommands.map(() => [] as number[]);
  for (let n = 0; n < rounds; n++) {
    for (const [i, command] of hardCommands.entries()) {
      const start = performance.now();
      body(command);
      took[i]!.push((performance.now() - start) * 1000);
    }
  }
  return took.map(t => t.sort((a, b) => a - b)[rounds >> 1]!).sort((a, b) => a - b);
}

const line = (name: string, us: number[]): string =>
  `${name.padEnd(12)} p50 ${us[us.length >> 1]!.toFixed(1)} µs  p99 ${us[Math.floor(us.length * 0.99)]!.toFixed(1)} µs  ${Math.round((us.length / us.reduce((a, b) => a + b)) * 1e6)}/s`;

console.log(`${hardCommands.length} hard commands, median of ${rounds} runs each`);
console.log(line("parse", medians(parse)));
console.log(
  line(
    "findings",
    medians(command => findings({ type: "shell", command })),
  ),
);
console.log(
  line(
    "decision",
    medians(command => decide({ type: "shell", command }, rulebook, "enforce")),
  ),
);

const slow: [number, string, string][] = [];
for (const [name, text] of hostileShapes(32_768)) {
  const start = performance.now();
  const verdict = decide({ type: "shell", command: text }, rulebook, "enforce");
  slow.push([performance.now() - start, name, verdict.decision]);
}
slow.sort((a, b) => b[0] - a[0]);
console.log(
  `\n${slow.length} hostile shapes at 32 KB: worst ${slow[0]![0].toFixed(1)} ms, p99 ${slow[Math.ceil(slow.length * 0.01)]![0].toFixed(1)} ms`,
);
for (const [ms, name, decision] of slow.slice(0, 6)) console.log(`  ${ms.toFixed(1)} ms ${decision} ${name}`);
const allowed = slow.filter(s => s[2] === "ALLOW").map(s => s[1]);
if (allowed.length > 0) console.log(`  ALLOW: ${allowed.join(", ")}`);
