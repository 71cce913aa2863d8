import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { blockedAdvice, runCases } from "../src/domain/policy/rules/cases.ts";
import { compileRulebook } from "../src/domain/policy/rules/compile.ts";
import { lintPack } from "../src/domain/policy/rules/lint.ts";
import { type Parsed, parsePack } from "../src/domain/policy/rules/parse.ts";
import type { Pack } from "../src/domain/policy/rules/schema.ts";
import { validatePolicy } from "../src/domain/policy/rules/validate.ts";

const seeds = new URL("../seeds/", import.meta.url);
const files = readdirSync(new URL("packs/", seeds)).filter(file => file.endsWith(".yaml"));
const read = (path: string) => readFileSync(new URL(path, seeds), "utf8");
const parsed: [string, Parsed<Pack>][] = files.map(file => [file, parsePack(read(`packs/${file}`), file)]);
const packs = parsed.flatMap(([, pack]) => (pack.ok ? [pack.value] : []));
const rules = packs.flatMap(pack => pack.rules);

describe("the packs we ship", () => {
  test("are read without a fault", () => {
    const faults = parsed.flatMap(([file, pack]) =>
      pack.ok ? [] : pack.problems.map(({ line, column, message }) => `${file}:${line}:${column} ${message}`),
    );
    expect(faults).toEqual([]);
  });

  test("give no hint", () => {
    const hints = packs.flatMap(pack =>
      lintPack(pack, { packs }).map(({ path, message }) => `${pack.pack}${path} ${message}`),
    );
    expect(hints).toEqual([]);
  });

  test("hold as many rules and cases as written down: nothing disappears unnoticed", () => {
    const counts = Object.fromEntries(
      packs.map(pack => {
        const cases = pack.rules.flatMap(rule => Object.values(rule.cases).flat()).length;
        return [pack.pack, { rules: pack.rules.length, cases }];
      }),
    );
    expect(counts).toEqual(JSON.parse(readFileSync(new URL("fixtures/pack-counts.json", import.meta.url), "utf8")));
  });

  test("fill in names in what they say is done, nowhere else", () => {
    const left = rules.filter(rule => /\{\w+\}/.test(`${rule.why} ${rule.instead}`)).map(rule => rule.id);
    expect(left).toEqual([]);
  });

  test("have ids of their own, and a restricting and an allow case for each rule", () => {
    expect(new Set(rules.map(rule => rule.id)).size).toBe(rules.length);
    const lacking = rules.filter(
      ({ cases }) => !cases.allow?.length || !(cases.block ?? cases.ask ?? cases.warn)?.length,
    );
    expect(lacking.map(rule => rule.id)).toEqual([]);
  });

  test("judge every case as its author says", () => {
    const wrong = runCases({ packs, entitled: true })
      .filter(result => !result.ok)
      .map(({ rule, call, expected, got }) => `${rule}: ${JSON.stringify(call)} is ${got}, not ${expected}`);
    expect(wrong).toEqual([]);
  }, 300_000);

  test("never block what they recommend", () => {
    const blocked = blockedAdvice(rules, { packs, entitled: true });
    expect(blocked.map(({ rule, command, verdict }) => `${rule}: ${command} (${verdict.rules[0]})`)).toEqual([]);
  });

  test("speak plainly: short sentences, a verb first, no full stop after what", () => {
    const odd = rules.filter(
      rule =>
        !/^[a-z]/.test(rule.what) || rule.what.endsWith(".") || !/[.!]$/.test(rule.why) || !/[.!]$/.test(rule.instead),
    );
    expect(odd.map(rule => rule.id)).toEqual([]);
    expect(rules.filter(rule => rule.what.length > 90 || rule.why.length > 110).map(rule => rule.id)).toEqual([]);
  });

  test("carry techniques and controls, and no sentence stands in more than five rules", () => {
    expect(rules.filter(rule => !rule.attack?.length || !rule.controls?.length).map(rule => rule.id)).toEqual([]);
    for (const of of ["what", "why", "instead"] as const) {
      const shared = [...Map.groupBy(rules, rule => rule[of])].filter(
        ([, same]) => same.length > (of === "what" ? 1 : 5),
      );
      expect(shared.map(([sentence, same]) => `${sentence} ${same.map(rule => rule.id)}`)).toEqual([]);
      expect(rules.filter(rule => rule[of].split(" ").length < 2).map(rule => rule.id)).toEqual([]);
    }
  });

  test("are many, and nothing in them is dated", () => {
    const book = compileRulebook({ packs, entitled: true });
    const waiting = packs.filter(pack => pack.default === "off").flatMap(pack => pack.rules);
    expect(book.rules.length).toBe(rules.length - waiting.length);
    expect(book.expires_on).toBeUndefined();
  });
});

test("the policy of a new organisation may be activated and gives no hint", () => {
  const { ok, problems, lints } = validatePolicy(read("policy.yaml"), packs, { today: "2026-01-01" });
  expect({ ok, problems, lints }).toEqual({ ok: true, problems: [], lints: [] });
});
