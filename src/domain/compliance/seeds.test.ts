import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { DocumentError } from "../yaml-document.ts";
import { buildCatalogue } from "./catalogue.ts";
import { parseFramework } from "./framework.ts";
import { parseRules } from "./rule.ts";

const folder = (name: string) => new URL(`../../../seeds/${name}/`, import.meta.url);
const files = (name: string) =>
  readdirSync(folder(name)).map(file => [file, readFileSync(new URL(file, folder(name)), "utf8")] as const);
const frameworks = files("frameworks").map(([file, text]) => parseFramework(text, file));
const rules = files("compliance").flatMap(([file, text]) => parseRules(text, file));
const catalogue = buildCatalogue(frameworks, rules);

const wanted =
  "soc2 iso27001 iso42001 nist-csf nist-800-53 nist-ai-rmf owasp-llm owasp-agentic eu-ai-act pci-dss hipaa cis".split(
    " ",
  );

test("the twelve frameworks are there, each in the file of its name", () => {
  expect(frameworks.map(f => f.framework).sort()).toEqual(wanted.toSorted());
  for (const [file, text] of files("frameworks")) expect(parseFramework(text, file).framework).toBe(file.slice(0, -5));
});

test.each(frameworks)("$framework rests on something and says what is free", framework => {
  expect(framework.controls.length).toBeGreaterThanOrEqual(10);
  const bare = framework.controls.filter(c => !c.tags?.length && !c.rules?.length && !c.evidence?.length);
  for (const control of bare) expect(control.note).toMatch(/nothing here gives evidence/);
  if (/ISO|AICPA|PCI|Internet Security/.test(framework.licence)) expect(framework.title_owned).toBe(true);
});

test("every rule maps to at least three frameworks, and mappings name real controls", () => {
  expect(rules.length).toBeGreaterThanOrEqual(40);
  for (const rule of catalogue.mapped()) {
    expect(new Set(rule.mappings.map(m => m.framework)).size).toBeGreaterThanOrEqual(3);
    for (const { framework, control } of rule.mappings) expect(catalogue.control(framework, control)).toBeDefined();
  }
});

test("one framework's view has only its rules and mappings", () => {
  const mapped = catalogue.mapped("hipaa");
  expect(mapped.length).toBeGreaterThan(10);
  expect(mapped.every(r => r.mappings.length > 0 && r.mappings.every(m => m.framework === "hipaa"))).toBe(true);
  expect(catalogue.mapped("none")).toEqual([]);
});

test("most identifiers were compared with a public catalogue, and the others say so", () => {
  const controls = frameworks.flatMap(f => f.controls);
  expect(controls.filter(c => c.checked).length / controls.length).toBeGreaterThan(0.9);
});

const sources: Record<string, { titles: Record<string, string> }> = JSON.parse(
  readFileSync(new URL("../../../test/fixtures/control-titles.json", import.meta.url), "utf8"),
);
test.each(Object.keys(sources))("identifiers and titles of %s are those of its source, word for word", id => {
  const { controls } = frameworks.find(each => each.framework === id)!;
  expect(Object.fromEntries(controls.map(control => [control.id, control.title]))).toEqual(sources[id]!.titles);
  expect(controls.filter(control => !control.checked)).toEqual([]);
});

test("every control word a framework names is one that rules of the packs carry", () => {
  const carried = files("packs").flatMap(([, text]) =>
    (parse(text) as { rules: { controls?: string[] }[] }).rules.flatMap(rule => rule.controls ?? []),
  );
  const named = frameworks.flatMap(f => f.controls.flatMap(control => control.tags ?? []));
  expect(named.filter(tag => !carried.includes(tag))).toEqual([]);
  expect([...new Set(carried)].filter(tag => !named.includes(tag))).toEqual([]);
});

const rule = { id: "GH-A-001", title: "t", why: "w", severity: "low", fix: "f" } as const;
const framework = (control: object) => ({
  framework: "xy",
  title: "t",
  version: "1",
  licence: "l",
  source: "https://x.test",
  title_owned: false,
  controls: [{ id: "1", title: "t", checked: true, ...control }],
});

test.each([
  ["a rule that is not there", [framework({ rules: ["GH-A-002"] })], [rule]],
  ["a rule that maps nowhere", [framework({})], [rule]],
  ["a rule id twice", [framework({ rules: ["GH-A-001"] })], [rule, rule]],
  ["a framework id twice", [framework({ rules: ["GH-A-001"] }), framework({})], [rule]],
])("%s is refused", (_, broken, brokenRules) => {
  expect(() => buildCatalogue(broken, brokenRules)).toThrow(DocumentError);
});

test.each([
  ["framework: soc2", "soc2.yaml: /"],
  ["a: &x 1\nb: *x", ""],
  ["framework: a\nframework: b", ""],
  [JSON.stringify({ ...framework({ evidence: ["chain-verifed"] }) }), "/controls/0/evidence/0"],
  [JSON.stringify({ ...framework({ rule: [] }) }), "/controls/0/rule"],
])("a broken file names the place: %#", (text, place) => {
  expect(() => parseFramework(text, "soc2.yaml")).toThrow(place);
});
