import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { spentMs } from "../../../../test/spent.ts";
import { stringify } from "yaml";
import { parsePack, parsePolicy, type Parsed } from "./parse.ts";

const rule = (more = "") => `pack: demo
version: 1.0.0
title: Demo
rules:
  - id: demo.one
    what: does it
    why: Because.
    instead: Do not.
    decision: ASK
    severity: low
    when: {run: x}
    cases: {}
${more}`;

const problems = (parsed: Parsed<unknown>) =>
  parsed.ok ? [] : parsed.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);

test("a pack is read, and knows its lines", () => {
  const parsed = parsePack(rule(), "seeds/packs/demo.yaml");
  expect(parsed.ok && parsed.value.rules[0]?.id).toBe("demo.one");
  expect(parsed.ok && parsed.locate("/rules/0/decision")).toEqual({ line: 9, column: 5 });
});

const wrong: [why: string, text: string, says: string][] = [
  ["an unknown member", rule("    wat: 1"), "13:5 unknown member `wat`"],
  ["a missing member", rule().replace("    why: Because.\n", ""), "5:5 `why` is missing"],
  ["a key twice", rule("    why: Again."), "13:5 this key is there twice"],
  [
    "an anchor",
    rule().replace("Because.", "&a Because."),
    "7:13 anchors (`&name`) are not allowed; quote text that starts with `&`",
  ],
  [
    "an alias",
    rule().replace("run: x", "run: *x"),
    "11:17 aliases (`*name`) are not allowed; quote patterns that start with `*`",
  ],
  [
    "a tag",
    rule().replace("run: x", "run: !x y"),
    "11:17 tags (`!name`) are not allowed; quote patterns that start with `!`",
  ],
  ["two documents", `${rule()}---\n${rule()}`, "13:1 must be one document"],
  ["an empty text", "", "1:1 is empty"],
  [
    "a wrong word in a union",
    rule().replace("decision: ASK", "decision: DENY"),
    "9:5 must be ALLOW, WARN, ASK or BLOCK",
  ],
  ["a typo inside a description", rule().replace("{run: x}", "{run: x, flag: y}"), "11:20 unknown member `flag`"],
  [
    "a typo in a list of descriptions",
    rule().replace("{run: x}", "[{run: x}, {flag: y}]"),
    "11:23 unknown member `flag`",
  ],
  ["a number where text is meant", rule().replace("run: x", "run: 1"), "11:12 must be text or a list"],
  [
    "a case that is none",
    rule().replace("cases: {}", "cases: {ask: [{shell: x}]}"),
    "12:19 must be text, {sh: …}, {powershell: …}, {cmd: …} or {mcp: …}",
  ],
  [
    "a typo in a case",
    rule().replace("cases: {}", "cases: {ask: [{sh: x, brnch: y}]}"),
    "12:27 unknown member `brnch`",
  ],
  [
    "a flow that is none",
    rule().replace("run: x", "flow: net -> shell"),
    "11:12 must be a flow such as network -> shell",
  ],
  ["a bad RE2", rule().replace("run: x", "run: x, args: 're:('"), "11:20 `re:(` is not a valid RE2 pattern"],
  ["a bad RE2 of one word", rule().replace("run: x", "run: 'gh re:(a b)'"), "11:12 `re:(a` is not a valid RE2 pattern"],
  ["a bad RE2 of a value", rule().replace("run: x", "env: 'A=re:('"), "11:12 `re:(` is not a valid RE2 pattern"],
  ["another pack's id", rule().replace("demo.one", "core.one"), "5:5 must start with the pack's name: `demo.`"],
  [
    "a rule that runs on everything",
    rule().replace("run: x", "flags: -x"),
    "11:5 would run on everything: name a program, tool, file access, flow or variable",
  ],
  [
    "keys that never meet",
    rule().replace("run: x", "run: x, mcp: a/b"),
    "11:5 `run` speaks of programs and can never hold for an MCP call",
  ],
];
describe("a pack is refused for", () => {
  for (const [why, text, says] of wrong) {
    test(why, () => expect(problems(parsePack(text))).toContain(says));
  }
  test("a name other than its file's", () => {
    expect(problems(parsePack(rule(), "other.yaml"))).toEqual(["1:1 must be `other`, as the file"]);
  });
});

const wrongPolicies: [why: string, text: string, says: string][] = [
  ["a version it does not know", "policy: 2", "1:1 must be 1"],
  [
    "an exception without its day",
    "policy: 1\nexceptions:\n  - {rules: [a.b], when: {run: x}, reason: r, owner: o}",
    "3:5 `until` is missing",
  ],
  [
    "a day outside the calendar",
    "policy: 1\nexceptions:\n  - {rules: [a.b], when: {run: x}, reason: r, owner: o, until: 2026-02-30}",
    "3:57 is not a day of the calendar",
  ],
  [
    "switching off for ever",
    "policy: 1\noverrides:\n  - {rules: [a.b], decision: OFF}",
    "3:5 switching a rule off needs `reason` and `until`",
  ],
  ["a set named like a place", "policy: 1\nsets: {home: [x]}", "2:8 is the name of a place"],
  ["a pack on and off", "policy: 1\npacks: {on: [a], off: [a]}", "2:1 `a` is both on and off"],
];
describe("a policy is refused for", () => {
  for (const [why, text, says] of wrongPolicies) {
    test(why, () => expect(problems(parsePolicy(text))).toContain(says));
  }
});

test("hostile documents are refused quickly and never throw", () => {
  const bombs = [
    `policy: ${"[".repeat(100_000)}`,
    `${"- ".repeat(50_000)}x`,
    Array.from({ length: 5000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
    "a: &a [x]\nb: &b [*a,*a]\nc: [*b,*b]",
    "x".repeat(2_000_000),
    "policy: 1\n\0",
    "%YAML 9.9\n---\n!!js/function x",
    "? {a: b}\n: c",
    "<<: {policy: 1}",
  ];
  const refused = () => expect(bombs.map(bomb => parsePolicy(bomb).ok)).toEqual(bombs.map(() => false));
  expect(spentMs(refused)).toBeLessThan(1000);
});

test("ten thousands of keys are read in the time of as many, and one that is there twice is found", () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `  a${i}: [b]`).join("\n");
  const from = process.cpuUsage().user;
  expect(parsePolicy(`policy: 1\nsets:\n${keys}`).ok).toBe(false);
  const twice = parsePolicy(`policy: 1\nsets:\n${keys}\n  a7: [c]`);
  expect(twice).toMatchObject({
    ok: false,
    problems: [{ message: "this key is there twice", line: 20_003, column: 3 }],
  });
  // Compared with each other they take 15 s and more.
  expect(process.cpuUsage().user - from).toBeLessThan(5_000_000);
});

test("any text at all gives a value or problems", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."policy: 1\n-[]{}'\"&*!#|>?,ab ") }), text => {
      const parsed = parsePolicy(text);
      expect(parsed.ok || parsed.problems.length > 0).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("what is printed is read again", () => {
  const glob = fc.string({ minLength: 1, maxLength: 20 }).filter(text => text.trim() !== "" && !text.startsWith("re:"));
  const policy = fc.record({
    policy: fc.constant(1 as const),
    no_match: fc.constantFrom("ALLOW" as const, "WARN" as const, "ASK" as const),
    sets: fc.dictionary(fc.stringMatching(/^x_[a-z]{1,8}$/), fc.array(glob, { maxLength: 3 }), { maxKeys: 3 }),
    allow: fc.array(
      fc.record({ when: fc.record({ run: glob, args: fc.array(glob, { minLength: 1, maxLength: 3 }) }), reason: glob }),
    ),
  });
  fc.assert(
    fc.property(policy, value => {
      const parsed = parsePolicy(stringify(value, { aliasDuplicateObjects: false }));
      expect(parsed.ok ? parsed.value : parsed.problems).toEqual(structuredClone(value));
    }),
    { numRuns: 200 },
  );
});
