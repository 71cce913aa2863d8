/**
 * Time of a verdict on simple and hard commands, beside other ways to get one, in one run: `npm run bench:verdicts`.
 * The others are installed by `npm ci --prefix test/bench/judges`; what is not there is named as absent.
 *
 * All are warmed alike and then asked in rounds, each round in another order; of each command the median counts, so that
 * a busy machine moves the figures little.
 */
import { hardCommands } from "../corpus/hard-commands.ts";
import { cedar } from "./judges/cedar.ts";
import { gatehouse } from "./judges/gatehouse.ts";
import type { Judge } from "./judges/judge.ts";
import { regexOnly } from "./judges/patterns.ts";
import { safetyNet } from "./judges/safety-net.ts";
import { shippedRulebook } from "./rulebook.ts";

const simpleCommands = [
  "git status",
  "ls -la src",
  "npm test",
  "cat README.md",
  "git diff HEAD~1",
  "rm -rf node_modules",
  "grep -rn TODO src",
  "node build.js --watch",
  "mkdir -p dist/assets",
  "cargo build --release",
];

/** Rounds before anything is measured, measured rounds, and how long either may take one judge. */
const [warmRounds, rounds, mostMs] = [2000, 300, 6000];

function ask(judge: Judge, commands: readonly string[], took?: number[][]): number {
  const start = performance.now();
  for (const [at, command] of commands.entries()) {
    const before = performance.now();
    judge.ask(command);
    took?.[at]?.push((performance.now() - before) * 1000);
  }
  return performance.now() - start;
}

/** Median microseconds of each command, by judge, ascending. */
function measure(judges: readonly Judge[], commands: readonly string[]): number[][] {
  for (const judge of judges) {
    let spent = 0;
    for (let round = 0; round < warmRounds && spent < mostMs; round++) spent += ask(judge, commands);
  }
  const running = judges.map(judge => ({ judge, took: commands.map(() => [] as number[]), spent: 0 }));
  for (let round = 0; round < rounds; round++) {
    for (const one of shuffled(running)) if (one.spent < mostMs) one.spent += ask(one.judge, commands, one.took);
  }
  return running.map(({ took }) => took.map(median).sort((a, b) => a - b));
}

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1]!;

function shuffled<T>(items: readonly T[]): T[] {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}

function row(name: string, us: readonly number[], ours: number): string {
  const total = us.reduce((sum, one) => sum + one, 0);
  const cell = (value: number) => value.toFixed(1).padStart(8);
  const times = cell(total / us.length / ours);
  const p99 = us[Math.floor(us.length * 0.99)]!;
  return `${name.padEnd(28)} p50 ${cell(us[us.length >> 1]!)} µs  p99 ${cell(p99)} µs  ${String(Math.round((us.length / total) * 1e6)).padStart(9)}/s  ${times} × ours`;
}

const book = shippedRulebook();
const others = { "@cedar-policy/cedar-wasm": await cedar(), "cc-safety-net": await safetyNet() };
const judges = [...gatehouse(book), regexOnly(), ...Object.values(others).filter(judge => judge !== undefined)];

for (const [kind, commands] of [
  ["simple", simpleCommands],
  ["hard", hardCommands],
] as const) {
  console.log(`\n${commands.length} ${kind} commands, ${book.rules.length} rules, medians of up to ${rounds} rounds`);
  const all = measure(judges, commands);
  const ours = all[0]!.reduce((sum, one) => sum + one, 0) / commands.length;
  for (const [at, judge] of judges.entries()) console.log(row(judge.name, all[at]!, ours));
}
const absent = Object.entries(others).filter(([, judge]) => judge === undefined);
if (absent.length > 0) console.log(`\nabsent: ${absent.map(([name]) => name).join(", ")}`);
