/**
 * Time of a verdict on hostile text of 32 KB, the largest that is read: `npm run bench:hostile`. Each shape is judged five
 * times; the median counts. What was understood may be allowed, what was not never is.
 */
import { decide } from "../../src/domain/policy/decide.ts";
import type { Call } from "../../src/domain/policy/verdict.ts";
import { baits } from "../corpus/baits.ts";
import { hostileCalls } from "../corpus/hostile-programs.ts";
import { hostileShapes } from "../corpus/hostile-shapes.ts";
import { shippedPacks, shippedRulebook } from "./rulebook.ts";

const size = 32_768;
const book = shippedRulebook();
const rounds = 5;

const texts = [...hostileShapes(size), ...baits(shippedPacks(), size - 200)];
const calls = texts.map(([name, command]): [string, Call] => [name, { type: "shell", command }]);

const slow = [...calls, ...hostileCalls(size)].map(([name, call]) => {
  const took: number[] = [];
  let decision = "";
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    ({ decision } = decide(call, book, "enforce"));
    took.push(performance.now() - start);
  }
  return { name, decision, ms: took.sort((a, b) => a - b)[rounds >> 1]! };
});
slow.sort((a, b) => b.ms - a.ms);
const p99 = slow[Math.ceil(slow.length * 0.01)]!;
console.log(
  `${slow.length} shapes: worst ${slow[0]!.ms.toFixed(1)} ms (goal 150), p99 ${p99.ms.toFixed(1)} ms (goal 50)`,
);
for (const { name, decision, ms } of slow.slice(0, 10))
  console.log(`  ${ms.toFixed(1).padStart(6)} ms ${decision.padEnd(5)} ${name}`);
const allowed = slow.filter(one => one.decision === "ALLOW").map(one => one.name);
console.log(`understood and allowed: ${allowed.length}, the slowest ${allowed.slice(0, 20).join(", ")}`);
