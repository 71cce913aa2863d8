import { expect, test } from "bun:test";
import { completionsAt } from "./policy-completion.ts";

/** `│` is where the cursor stands. */
const at = (text: string, packs?: string[]) => {
  const found = completionsAt(text.replace("│", ""), text.indexOf("│"), packs);
  return found && { from: found.from, labels: found.options.map(({ label }) => label) };
};
const labels = (text: string, packs?: string[]) => at(text, packs)?.labels ?? [];

test("keys of a policy at its top, in any state of typing", () => {
  expect(labels("│")).toContain("rules");
  expect(at("policy: 1\nru│")).toMatchObject({ from: 10 });
  expect(labels("policy: 1\nrules:\n  - id: a.b\nover│")).toContain("overrides");
});

test("keys of a rule, whether its list is indented or not, after the dash and below it", () => {
  for (const text of ["rules:\n  - │", "rules:\n- │", "rules:\n  - id: a.b\n    │", "rules:\n- id: a.b\n  │"]) {
    expect(labels(text)).toContain("decision");
    expect(labels(text)).not.toContain("overrides");
  }
});

test("keys of a description, as the one entry and as an item", () => {
  expect(labels("rules:\n  - id: a.b\n    when:\n      │")).toContain("run");
  expect(labels("rules:\n  - id: a.b\n    when:\n      - run: x\n        │")).toContain("flags");
  expect(labels("rules:\n  - when:\n      - run: x\n    unless:\n      - │")).toContain("path");
  expect(labels("rules:\n  - scope:\n      │")).toEqual(["agent", "client", "repo", "branch"]);
});

test("values: words, truth values, items of a flow list, names of packs", () => {
  expect(labels("rules:\n  - id: a.b\n    decision: │")).toEqual(["ALLOW", "WARN", "ASK", "BLOCK"]);
  expect(at("no_match: AL│")).toEqual({ from: 10, labels: ["ALLOW", "WARN", "ASK"] });
  expect(labels("overrides:\n  - decision: │")).toEqual(["OFF", "WARN", "ASK", "BLOCK"]);
  expect(labels("rules:\n  - locked: │")).toEqual(["true", "false"]);
  expect(labels("rules:\n  - when:\n      - does: [read, │")).toContain("write");
  expect(labels("packs:\n  on: [│", ["core", "git"])).toEqual(["core", "git"]);
  expect(labels("packs:\n  off:\n    - │", ["core", "git"])).toEqual(["core", "git"]);
});

test("nothing in comments, in free text, below what is unknown", () => {
  for (const text of ["# ru│", "rules: # no│", "rules:\n  - what: Ship│", "nobody:\n  │", "rules:\n  - id: │"])
    expect(at(text)).toBeUndefined();
});
