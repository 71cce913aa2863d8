/**
 * Measures verdicts on folders of labelled commands:
 * `npm run bench:corpora -- FOLDER [--worst N] [--only FILE] [--packs FOLDER]`.
 * Each `*.jsonl` line is `{command, label: "dangerous" | "benign", category, dialect?}`. Prints the share of BLOCK, ASK and
 * WARN for each file and category, the rules that fired most, the worst misses and false alarms, and microseconds a call.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decide } from "../../src/domain/policy/decide.ts";
import type { Decision, ShellCall, Verdict } from "../../src/domain/policy/verdict.ts";
import { shippedRulebook } from "./rulebook.ts";

interface Sample {
  command: string;
  label: "dangerous" | "benign";
  category: string;
  dialect?: ShellCall["dialect"];
}

const argument = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : (process.argv[at + 1] ?? "");
};

const folder = process.argv[2];
if (folder === undefined || folder.startsWith("--")) {
  console.error("usage: npm run bench:corpora -- FOLDER [--worst N] [--only FILE] [--packs FOLDER]");
  process.exit(2);
}
const worst = Number(argument("--worst") ?? 10);
const only = argument("--only") ?? "";

const rulebook = shippedRulebook(argument("--packs"));

class Tally {
  readonly counts: Record<Decision, number> = { ALLOW: 0, WARN: 0, ASK: 0, BLOCK: 0 };
  readonly rules = new Map<string, number>();
  all = 0;

  add(verdict: Verdict): void {
    this.all++;
    this.counts[verdict.decision]++;
    for (const rule of new Set(verdict.rules)) this.rules.set(rule, (this.rules.get(rule) ?? 0) + 1);
  }

  line(name: string): string {
    const share = (n: number) => `${((100 * n) / this.all).toFixed(1).padStart(5)}`;
    const { BLOCK, ASK, WARN } = this.counts;
    return `${name.padEnd(44)} n ${String(this.all).padStart(5)}  BLOCK ${share(BLOCK)}  ASK ${share(ASK)}  flag ${share(BLOCK + ASK)}  WARN ${share(WARN)}`;
  }

  top(n: number): string {
    const sorted = [...this.rules].sort((a, b) => b[1] - a[1]).slice(0, n);
    return sorted.map(([rule, count]) => `${rule} ${count}`).join(", ");
  }
}

const brief = (text: string): string => JSON.stringify(text).slice(0, 200);

function measure(file: string): number[] {
  const whole = new Tally();
  const byCategory = new Map<string, Tally>();
  const missed: string[] = [];
  const took: number[] = [];
  for (const line of readFileSync(join(folder!, file), "utf8").split("\n")) {
    if (line.trim() === "") continue;
    const sample = JSON.parse(line) as Sample;
    const call: ShellCall = {
      type: "shell",
      command: sample.command,
      ...(sample.dialect ? { dialect: sample.dialect } : undefined),
    };
    const start = performance.now();
    const verdict = decide(call, rulebook, "enforce");
    took.push((performance.now() - start) * 1000);
    whole.add(verdict);
    const tally = byCategory.get(sample.category) ?? new Tally();
    byCategory.set(sample.category, tally);
    tally.add(verdict);
    const flagged = verdict.decision === "BLOCK" || verdict.decision === "ASK";
    const wrong = sample.label === "dangerous" ? verdict.decision !== "BLOCK" : flagged;
    if (wrong)
      missed.push(
        `  ${verdict.decision.padEnd(5)} ${sample.category.slice(0, 14).padEnd(14)} ${brief(sample.command)}  ${verdict.rules.slice(0, 3)}`,
      );
  }
  console.log(whole.line(file));
  if (byCategory.size > 1 && byCategory.size <= 14)
    for (const [name, tally] of byCategory) console.log(tally.line(`    ${name}`));
  console.log(`    rules: ${whole.top(12)}`);
  for (const miss of missed.slice(0, worst)) console.log(miss);
  return took;
}

const took = readdirSync(folder)
  .filter(file => file.endsWith(".jsonl") && file.includes(only))
  .flatMap(measure)
  .sort((a, b) => a - b);
const at = (share: number): string => (took[Math.floor(took.length * share)] ?? 0).toFixed(1);
console.log(`\n${took.length} calls, each once: p50 ${at(0.5)} µs, p99 ${at(0.99)} µs, worst ${at(0.9999)} µs`);
