import { expect, test } from "bun:test";
import { decide } from "../src/domain/policy/decide.ts";
import { caseCall } from "../src/domain/policy/rules/cases.ts";
import { compileRulebook } from "../src/domain/policy/rules/compile.ts";
import type { Case, Pack } from "../src/domain/policy/rules/schema.ts";
import { readPacks } from "../src/seeds.ts";
import { mutators } from "./corpus/mutators.ts";

const packs: Pack[] = readPacks().map(({ value }) => value);
const book = compileRulebook({ packs, entitled: true });
const verdict = (command: string) => decide({ type: "shell", command }, book, "enforce");

/** Every so many-th case under one mutator each, so that over all cases every mutator is used often. */
function* mutated(cases: Case[], hiding: boolean): Generator<[name: string, before: string, after: string]> {
  const fair = mutators.filter(mutator => hiding || !mutator.hides);
  let turn = 0;
  for (const one of cases) {
    const call = caseCall(one);
    if (typeof one !== "string" || call.type !== "shell") continue;
    for (let tries = 0; tries < 2; tries++) {
      const mutator = fair[turn++ % fair.length]!;
      const after = mutator.apply(call.command, turn);
      if (after !== undefined) yield [mutator.name, call.command, after];
    }
  }
}

test("a blocked case stays blocked however it is written", () => {
  const cases = packs.flatMap(pack => pack.rules.flatMap(rule => rule.cases.block ?? []));
  const weaker: string[] = [];
  let count = 0;
  for (const [name, before, after] of mutated(cases, true)) {
    if (verdict(before).decision !== "BLOCK") continue;
    count++;
    if (verdict(after).decision !== "BLOCK") weaker.push(`${name}: ${after}`);
  }
  expect(count).toBeGreaterThan(300);
  expect(weaker).toEqual([]);
}, 300_000);

test("a case nothing speaks of stays silent however it is written", () => {
  const cases = packs.flatMap(pack => pack.rules.flatMap(rule => rule.cases.allow ?? []));
  const alarmed: string[] = [];
  let count = 0;
  for (const [name, before, after] of mutated(cases, false)) {
    if (verdict(before).matched.length > 0) continue;
    count++;
    const { decision, rules } = verdict(after);
    if (decision === "BLOCK" || decision === "ASK") alarmed.push(`${name}: ${after} (${rules.join(", ")})`);
  }
  expect(count).toBeGreaterThan(300);
  expect(alarmed).toEqual([]);
}, 300_000);
