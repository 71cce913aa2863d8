import { describe, expect, test } from "bun:test";
import { runCase } from "./cases.ts";
import { shippedCatalogue } from "./catalogue.ts";
import { CheckError, readCatalogue } from "./check.ts";

const { checks, kinds } = shippedCatalogue();

describe("every shipped check", () => {
  for (const check of checks.filter(each => each.look)) {
    test.each(check.cases!.fail.map((example, n) => [n + 1, example] as const))(
      `${check.id} finds example %d`,
      (_, example) => {
        const result = runCase(check, example, kinds);
        expect([result.status, "findings" in result ? result.findings : []]).toEqual(["fail", expect.anything()]);
      },
    );
    test.each(check.cases!.pass.map((example, n) => [n + 1, example] as const))(
      `${check.id} is content with example %d`,
      (_, example) => {
        const result = runCase(check, example, kinds);
        expect([result.status, "findings" in result ? result.findings : []]).toEqual(["pass", []]);
      },
    );
  }

  test("there are at least forty that look at files, and each kind of file is used", () => {
    expect(checks.filter(each => each.look).length).toBeGreaterThanOrEqual(40);
    const used = new Set(checks.flatMap(each => each.look?.flatMap(look => look.files) ?? []));
    expect(Object.keys(kinds).filter(kind => !used.has(kind))).toEqual([]);
  });
});

describe("a catalogue that is not one is refused with its place", () => {
  const base = { "kinds.yaml": "groups: {}\nkinds:\n  a: {format: json, project: [a.json]}\n" };
  const check = (extra: string) => `area: x\nchecks:\n  - {id: GH-X-001, ${extra}}\n`;
  const cases = "cases: {fail: [{a.json: {}}], pass: [{a.json: {}}]}";
  const refused: [string, string, RegExp][] = [
    ["unknown member", check("lok: []"), /x\.yaml: \/checks\/0/],
    ["neither look nor from", check("cases: {fail: [{}], pass: [{}]}"), /say either where/],
    ["unknown kind", check(`look: [{files: [b], at: x, says: s}], ${cases}`), /b is not a kind/],
    ["two ways", check(`look: [{files: [a], at: x, line: y, says: s}], ${cases}`), /exactly one/],
    ["no cases", check("look: [{files: [a], at: x, says: s}]"), /cases are missing/],
  ];
  const rules = [{ id: "GH-X-001", title: "t", why: "w", severity: "low" as const, fix: "f" }];
  test("a check without its rule", () => {
    const text = check(`look: [{files: [a], at: x, says: s}], ${cases}`);
    expect(() => readCatalogue({ ...base, "x.yaml": text }, [])).toThrow(/not a compliance rule/);
    expect(readCatalogue({ ...base, "x.yaml": text }, rules).checks).toHaveLength(1);
  });
  test.each(refused)("%s", (_, text, message) => {
    expect(() => readCatalogue({ ...base, "x.yaml": text }, rules)).toThrow(message);
    expect(() => readCatalogue({ ...base, "x.yaml": text }, rules)).toThrow(CheckError);
  });
});
