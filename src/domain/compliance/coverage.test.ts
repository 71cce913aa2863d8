import { expect, test } from "bun:test";
import fc from "fast-check";
import { buildCatalogue } from "./catalogue.ts";
import { type CoverageStatus, coverage, type ScanOutcomes } from "./coverage.ts";
import { ageInDays, evidenceKinds, type Figures, judgeEvidence } from "./evidence.ts";
import { ruleOutcomes } from "./scan.ts";

const rule = (id: string, same_as?: string[]) => ({
  id,
  title: "t",
  why: "w",
  severity: "high" as const,
  fix: "f",
  ...(same_as && { same_as }),
});
const rules = [rule("GH-A-001"), rule("GH-A-002", ["secretlint/*", "AgentLint/INST-001"])];
const catalogue = buildCatalogue(
  [
    {
      framework: "one",
      title: "One",
      version: "1",
      licence: "free",
      source: "https://x.test",
      title_owned: false,
      controls: [
        { id: "rules", title: "Rules", checked: true, rules: ["GH-A-001", "GH-A-002"] },
        { id: "log", title: "Log", checked: true, evidence: ["chain-verified", "decisions-logged"] },
        { id: "tags", title: "Tags", checked: true, tags: ["isolation"] },
        { id: "mixed", title: "Mixed", checked: true, rules: ["GH-A-001"], evidence: ["chain-verified"] },
        { id: "bare", title: "Bare", checked: true },
      ],
    },
  ],
  rules,
);
const nothing: Figures = {
  log: { from: 0, to: 0 },
  mode: "enforce",
  chain: null,
  events: null,
  decisions: null,
  policy: null,
  agents: null,
  servers: null,
  drift: null,
  members: null,
  retention: null,
  scans: null,
  tags: {},
};
const good: Figures = {
  ...nothing,
  log: { from: 0, to: 900 },
  chain: { valid: true, count: 900, whole: true },
  events: { total: 500 },
  decisions: { total: 300, asked: 20, blocked: 10 },
  policy: { version: 3, ask_rules: 4, block_rules: 9, on_unreachable: "ask" },
  agents: { total: 5, stale: 0, silent: 0, lagging: 0, hooked: 5, unhooked_calls: 0 },
  servers: { observed: 2, declared: 2, clashes: 0, suspicious: 0 },
  drift: { open: 0, high: 0 },
  members: { total: 3, admins: 2, changes: 7 },
  retention: { days: null },
  scans: { projects: 1, newest_age_days: 2 },
  tags: { isolation: { rules: 2, matched: 9 } },
};
const scan = (outcomes: ScanOutcomes["outcomes"], id = "scn_1"): ScanOutcomes => ({ id, project: "p", outcomes });
const statuses = (scans: ScanOutcomes[], figures: Figures) =>
  Object.fromEntries(coverage(catalogue, ["one"], scans, figures)[0]!.controls.map(c => [c.control, c.status]));

test("nothing looked at is never a pass", () => {
  expect(new Set(Object.values(statuses([], nothing)))).toEqual(new Set<CoverageStatus>(["not_evaluated"]));
  for (const kind of evidenceKinds) {
    expect([kind, judgeEvidence(kind, nothing).status]).toEqual([kind, "unknown"]);
  }
});

test("everything good covers, and a bare control stays unevaluated", () => {
  const all = scan({ "GH-A-001": "pass", "GH-A-002": "pass" });
  expect(statuses([all], good)).toEqual({
    rules: "covered",
    log: "covered",
    tags: "covered",
    mixed: "covered",
    bare: "not_evaluated",
  });
  for (const kind of evidenceKinds) expect([kind, judgeEvidence(kind, good).status]).toEqual([kind, "met"]);
});

test("half of the rules is partial, one failure is failing", () => {
  expect(statuses([scan({ "GH-A-001": "pass" })], good)["rules"]).toBe("partial");
  expect(statuses([scan({ "GH-A-001": "pass", "GH-A-002": "fail" })], good)["rules"]).toBe("failing");
  expect(statuses([scan({ "GH-A-001": "pass", "GH-A-002": "error" })], good)["rules"]).toBe("partial");
  expect(statuses([scan({ "GH-A-001": "pass", "GH-A-002": "not_applicable" })], good)["rules"]).toBe("covered");
  expect(statuses([scan({ "GH-A-001": "not_applicable", "GH-A-002": "not_applicable" })], good)["rules"]).toBe(
    "not_evaluated",
  );
});

test("a failure in one project is not hidden by a pass in another, and the deciding scans are named", () => {
  const scans = [scan({ "GH-A-001": "pass" }, "scn_1"), scan({ "GH-A-001": "fail" }, "scn_2")];
  const control = coverage(catalogue, ["one"], scans, good)[0]!.controls[0]!;
  expect(control.rules[0]).toEqual({ rule: "GH-A-001", status: "fail", scans: ["scn_2"] });
  expect(control.status).toBe("failing");
});

test("a rule that no file can tell is judged by the server, unless a scan says something", () => {
  const judged = buildCatalogue(
    [{ ...catalogue.frameworks[0]!, controls: [{ id: "c", title: "C", checked: true, rules: ["GH-A-001"] }] }],
    [{ ...rules[0]!, evidence: "agents-enrolled" }],
  );
  const control = (figures: Figures, ...scans: ScanOutcomes[]) =>
    coverage(judged, ["one"], scans, figures)[0]!.controls[0]!;
  expect(control(good)).toMatchObject({
    status: "covered",
    evidence: [{ kind: "agents-enrolled" }],
    rules: [{ rule: "GH-A-001", status: "pass", scans: [], evidence: "agents-enrolled" }],
  });
  expect(control(nothing)).toMatchObject({ status: "not_evaluated", rules: [{ status: "not_evaluated" }] });
  const stale = { ...good, agents: { ...good.agents!, stale: 1 } };
  expect(control(stale)).toMatchObject({ status: "partial", rules: [{ status: "partial" }] });
  expect(control(good, scan({ "GH-A-001": "fail" }))).toMatchObject({
    status: "failing",
    rules: [{ scans: ["scn_1"] }],
  });
});

test("a broken chain fails its controls; recording without enforcing is partial", () => {
  expect(statuses([], { ...good, chain: { valid: false, count: 900, whole: true } })["log"]).toBe("failing");
  expect(statuses([], { ...good, mode: "audit-only" })["tags"]).toBe("partial");
  expect(statuses([], { ...good, tags: {} })["tags"]).toBe("not_evaluated");
  expect(statuses([], { ...good, agents: null })["tags"]).toBe("not_evaluated");
  expect(statuses([], { ...good, tags: Object.create({ isolation: { rules: 1 } }) })["tags"]).toBe("not_evaluated");
});

test.each([
  ["approval-asked", { policy: { version: 1, ask_rules: 0, block_rules: 3 } }, "unmet"],
  ["approval-asked", { mode: "audit-only" }, "partly"],
  ["enforcement-on", { mode: "audit-only" }, "partly"],
  ["agents-enrolled", { agents: { total: 2, stale: 1, hooked: 2, unhooked_calls: 0 } }, "partly"],
  ["agents-hooked", { agents: { total: 2, stale: 0, hooked: 1, unhooked_calls: 0 } }, "partly"],
  ["agents-hooked", { agents: { total: 2, stale: 0, hooked: 2, unhooked_calls: 3 } }, "partly"],
  ["agents-hooked", { agents: { total: 2, stale: 0, hooked: 0, unhooked_calls: 0 } }, "unmet"],
  ["agents-hooked", { agents: { total: 0, stale: 0, hooked: 0, unhooked_calls: 0 } }, "unknown"],
  ["agents-in-use", { agents: { total: 2, silent: 1 } }, "unmet"],
  ["agents-current", { agents: { total: 2, lagging: 1 } }, "partly"],
  ["unreachable-answered", { policy: { version: 1, on_unreachable: "allow" } }, "unmet"],
  ["mcp-names-distinct", { servers: { declared: 2, observed: 0, clashes: 1, suspicious: 0 } }, "unmet"],
  ["mcp-texts-clean", { servers: { declared: 2, observed: 0, clashes: 0, suspicious: 1 } }, "unmet"],
  ["mcp-texts-clean", { servers: { declared: 0, observed: 2, clashes: 0, suspicious: 0 } }, "unknown"],
  ["two-admins", { members: { total: 5, admins: 1, changes: 0 } }, "unmet"],
  ["mcp-no-drift", { drift: { open: 2, high: 0 } }, "partly"],
  ["mcp-no-drift", { drift: { open: 2, high: 1 } }, "unmet"],
  ["mcp-no-drift", { servers: { observed: 0, declared: 0 } }, "unknown"],
  ["logs-kept-6-months", { retention: { days: 90 } }, "unmet"],
  ["logs-kept-12-months", { retention: { days: 365 } }, "met"],
  ["scans-recent", { scans: { projects: 1, newest_age_days: 31 } }, "partly"],
  ["scans-recent", { scans: { projects: 0, newest_age_days: 0 } }, "unknown"],
  ["chain-verified", { chain: { valid: true, count: 0, whole: true } }, "unknown"],
  ["chain-verified", { chain: { valid: true, count: 900, whole: false } }, "unknown"],
  ["chain-verified", { chain: { valid: false, count: 900, whole: false } }, "unmet"],
] as const)("%s with %j is %s", (kind, change, status) => {
  const evidence = judgeEvidence(kind, { ...good, ...change } as Figures);
  expect(evidence).toMatchObject({ kind, status, log: { from: 0, to: 900 } });
  expect(evidence.statement).toMatch(/\.$/);
});

test("frameworks that are not enabled or not known are left out, and the summary adds up", () => {
  expect(coverage(catalogue, [], [], good)).toEqual([]);
  expect(coverage(catalogue, ["two"], [], good)).toEqual([]);
  const [one] = coverage(catalogue, ["one"], [], good);
  expect(Object.values(one!.summary).reduce((a, b) => a + b)).toBe(one!.controls.length);
});

test("what other tools find fails a rule; that they found nothing passes none", () => {
  const found = { tool: "secretlint", rule_id: "any", status: "fail" as const };
  expect(ruleOutcomes([found], rules)).toEqual({ "GH-A-002": "fail" });
  expect(ruleOutcomes([{ ...found, status: "pass" }], rules)).toEqual({});
  expect(ruleOutcomes([{ tool: "agentlint", rule_id: "INST-001", status: "fail" }], rules)).toEqual({
    "GH-A-002": "fail",
  });
  expect(ruleOutcomes([{ tool: "agentlint", rule_id: "INST-0012", status: "fail" }], rules)).toEqual({});
});

test("adding a failing scan never improves a control", () => {
  const outcome = fc.constantFrom("pass", "fail", "error", "not_applicable" as const);
  const outcomes = fc.dictionary(fc.constantFrom("GH-A-001", "GH-A-002"), outcome);
  const rank: Record<string, number> = { failing: 0, not_evaluated: 1, partial: 2, covered: 3 };
  fc.assert(
    fc.property(fc.array(outcomes), list => {
      const scans = list.map((o, i) => scan(o as ScanOutcomes["outcomes"], `scn_${i}`));
      const before = statuses(scans, good);
      const after = statuses([...scans, scan({ "GH-A-001": "fail" }, "scn_x")], good);
      for (const control of Object.keys(before)) {
        expect(rank[after[control]!]!).toBeLessThanOrEqual(Math.max(rank[before[control]!]!, 0));
      }
      expect(after["rules"]).toBe("failing");
    }),
  );
});

test("ages are whole days and never negative", () => {
  const day = 24 * 3600 * 1000;
  expect([ageInDays(0, day - 1), ageInDays(0, day), ageInDays(day, 0)]).toEqual([0, 1, 0]);
});
