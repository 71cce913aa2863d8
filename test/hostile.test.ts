/** Text made to be slow or to slip through, judged by every shipped rule: no fault of ours, and never past what was not understood. */
import { expect, test } from "bun:test";
import { decide } from "../src/domain/policy/decide.ts";
import { findings } from "../src/domain/policy/engine/findings.ts";
import type { ShellCall } from "../src/domain/policy/verdict.ts";
import { shippedPacks, shippedRulebook } from "./bench/rulebook.ts";
import { baits } from "./corpus/baits.ts";
import { hostileShapes } from "./corpus/hostile-shapes.ts";

const book = shippedRulebook();
/** Matches told of one call besides gaps (telling.ts). */
const toldMax = 8;

function judged(command: string): { rules: string[]; safe: boolean } {
  const call: ShellCall = { type: "shell", command };
  const { gaps } = findings(call);
  const { decision, rules } = decide(call, book, "enforce");
  const told = rules.filter(rule => !rule.startsWith("gate."));
  const safe = gaps.length === 0 || decision === "ASK" || decision === "BLOCK";
  return { rules, safe: safe && told.length <= toldMax && !rules.includes("gate.internal-error") };
}

for (const [name, text] of hostileShapes(32_768)) {
  test(`32 KB of ${name}`, () => expect(judged(text)).toMatchObject({ safe: true }));
}

test("every pattern of every rule is offered what would make a matcher slow", () => {
  const all = baits(shippedPacks(), 600);
  expect(all.length).toBeGreaterThan(1_000);
  for (const [rule, command] of all) expect([rule, judged(command).safe]).toEqual([rule, true]);
});
