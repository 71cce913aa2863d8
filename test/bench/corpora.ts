/**
 * Measures verdicts on folders of labelled commands:
 * `npm run bench:corpora -- FOLDER [--worst N] [--only FILE] [--packs FOLDER]`.
 * Each `*.jsonl` line is `{command, label: "dangerous" | "benign", category, dialect?}`. Prints the share of BLOCK, ASK and
 * WARN for each file, each subset a goal speaks of and each category, the rules that fired most, and microseconds a call.
 * With `--worst N` also the N worst of each file: misses (ALLOW before WARN before ASK), false alarms (BLOCK before ASK).
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decide } from "../../src/domain/policy/decide.ts";
import type { Decision, ShellCall, Verdict } from "../../src/domain/policy/verdict.ts";
import { type Goal, goals, type Sample } from "./goals.ts";
import { shippedRulebook } from "./rulebook.ts";

const argument = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : (process.argv[at + 1] ?? "");
};

const folder = process.argv[2];
if (folder === undefined || folder.startsWith("--")) {
  console.error("usage: npm run bench:corpora -- FOLDER [--worst N] [--only FILE] [--packs FOLDER]");
  process.exit(2);
}
const worst = Number(argument("--worst") ?? 0);
const only = argument("--only") ?? "";

const rulebook = shippedRulebook(argument("--packs"));

interface Judged {
  sample: Sample;
  verdict: Verdict;
  took_us: number;
}

const shareOf = (judged: readonly Judged[], ...decisions: Decision[]): number =>
  (100 * judged.filter(({ verdict }) => decisions.includes(verdict.decision)).length) / Math.max(1, judged.length);

function line(name: string, judged: readonly Judged[]): string {
  const share = (...decisions: Decision[]) =>
    shareOf(judged, ...decisions)
      .toFixed(1)
      .padStart(5);
  return `${name.padEnd(36)} n ${String(judged.length).padStart(5)}  BLOCK ${share("BLOCK")}  ASK ${share("ASK")}  flag ${share("BLOCK", "ASK")}  WARN ${share("WARN")}`;
}

function goalLine({ name, picks, block, flag }: Goal, judged: readonly Judged[]): string {
  const picked = judged.filter(({ sample }) => picks(sample));
  const least = judged[0]?.sample.label === "dangerous";
  const wanted = (figure: string, goal: number | undefined, reached: number) => {
    if (goal === undefined) return [];
    const met = least ? reached >= goal : reached <= goal;
    return [`${figure} ${least ? "≥" : "≤"} ${goal} ${met ? "met" : "MISSED"}`];
  };
  const marks = [
    ...wanted("BLOCK", block, shareOf(picked, "BLOCK")),
    ...wanted("flag", flag, shareOf(picked, "BLOCK", "ASK")),
  ];
  return `${line(`  goal: ${name}`, picked)}  (${marks.join(", ")})`;
}

function topRules(judged: readonly Judged[], most: number): string {
  const counts = new Map<string, number>();
  for (const { verdict } of judged)
    for (const rule of new Set(verdict.rules)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const sorted = [...counts].sort((a, b) => b[1] - a[1]).slice(0, most);
  return sorted.map(([rule, count]) => `${rule} ${count}`).join(", ");
}

const strictness: readonly Decision[] = ["ALLOW", "WARN", "ASK", "BLOCK"];

/** What went wrong, the worst first. */
function faults(judged: readonly Judged[], least: boolean): string[] {
  const order = (one: Judged) => strictness.indexOf(one.verdict.decision);
  return judged
    .filter(({ verdict: { decision } }) => (least ? decision !== "BLOCK" : decision === "BLOCK" || decision === "ASK"))
    .sort((a, b) => (least ? order(a) - order(b) : order(b) - order(a)))
    .map(({ sample, verdict }) => {
      const text = JSON.stringify(sample.command).slice(0, 200);
      return `  ${verdict.decision.padEnd(5)} ${sample.category.slice(0, 14).padEnd(14)} ${text}  ${verdict.rules.slice(0, 3)}`;
    });
}

function judge(sample: Sample): Judged {
  const { command, dialect } = sample;
  const call: ShellCall = { type: "shell", command, ...(dialect ? { dialect } : undefined) };
  const start = performance.now();
  const verdict = decide(call, rulebook, "enforce");
  return { sample, verdict, took_us: (performance.now() - start) * 1000 };
}

function measure(file: string): number[] {
  const lines = readFileSync(join(folder!, file), "utf8").split("\n");
  const judged = lines.filter(text => text.trim() !== "").map(text => judge(JSON.parse(text) as Sample));
  console.log(line(file, judged));
  for (const goal of goals) if (file.startsWith(goal.file)) console.log(goalLine(goal, judged));
  const byCategory = Map.groupBy(judged, ({ sample }) => sample.category);
  if (byCategory.size > 1) {
    const sorted = [...byCategory].sort((a, b) => b[1].length - a[1].length);
    for (const [name, some] of sorted)
      if (sorted.length < 15 || some.length > 2) console.log(line(`    ${name}`, some));
  }
  console.log(`    rules: ${topRules(judged, 12)}`);
  for (const fault of faults(judged, judged[0]?.sample.label === "dangerous").slice(0, worst)) console.log(fault);
  return judged.map(({ took_us }) => took_us);
}

const took = readdirSync(folder)
  .filter(file => file.endsWith(".jsonl") && file.includes(only))
  .flatMap(measure)
  .sort((a, b) => a - b);
const at = (share: number): string => (took[Math.floor(took.length * share)] ?? 0).toFixed(1);
console.log(
  `\n${took.length} calls, each once and so mostly cold: p50 ${at(0.5)} µs, p99 ${at(0.99)} µs, worst ${at(0.9999)} µs`,
);
