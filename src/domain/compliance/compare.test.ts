import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { compareScans as compare, failuresOf } from "./compare.ts";
import { readNativeScan } from "./native-scan.ts";
import { type Scan, ScanError, type ScanReader, scanStatus } from "./scan.ts";

const reader: ScanReader = {
  hash: text => createHash("sha256").update(text).digest("hex"),
  redact: text => text.replaceAll("hunter2", "[secret]"),
};
function finish<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
const times = { started_at: "2026-01-02T03:04:05Z", finished_at: "2026-01-02T03:04:06.5+01:00" };
const native = (results: unknown[], more: object = {}): unknown => ({
  project: "acme/shop",
  tool: { name: "comply", version: "1.0.0" },
  ...times,
  results,
  ...more,
});
const scanOf = (...results: unknown[]): Scan => finish(readNativeScan(native(results), reader));
const compareScans = (after: Scan, before: Scan | null) => compare(after, failuresOf(before?.results ?? []));
const fail = (rule_id: string, path = "a.json", line = 1, message = "m") => ({
  rule_id,
  status: "fail",
  severity: "high",
  location: { path, line },
  message,
});
const pass = (rule_id: string) => ({ rule_id, status: "pass" });

test("a first scan has only new findings", () => {
  const { summary } = compareScans(scanOf(fail("A"), pass("B"), { rule_id: "C", status: "error" }), null);
  expect(summary).toEqual({ pass: 1, fail: 1, error: 1, not_applicable: 0, new: 1, fixed: 0, unchanged: 0 });
});

test("new, fixed and unchanged are told apart, also when lines moved", () => {
  const before = scanOf(fail("A", "a.json", 4), fail("B"));
  const after = scanOf(fail("A", "a.json", 40), pass("B"), fail("C"));
  const { summary, fixed, results } = compareScans(after, before);
  expect(summary).toMatchObject({ new: 1, fixed: 1, unchanged: 1 });
  expect(fixed.map(r => r.rule_id)).toEqual(["B"]);
  expect(results.map(r => r.state)).toEqual(["unchanged", undefined, "new"]);
});

test("what was not looked at again is not fixed", () => {
  const before = scanOf(fail("A"), fail("B"), fail("C"));
  const after = scanOf(pass("A"), { rule_id: "B", status: "error" });
  expect(compareScans(after, before).fixed.map(r => r.rule_id)).toEqual(["A"]);
  expect(compareScans({ ...after, truncated: true }, before).fixed).toEqual([]);
  const sarif: Scan = { ...after, format: "sarif", results: [] };
  expect(compareScans(sarif, before).summary.fixed).toBe(3);
  expect(compareScans({ ...sarif, complete: false }, before).summary.fixed).toBe(0);
});

test("equal findings are counted, not merged", () => {
  const { summary } = compareScans(scanOf(fail("A"), fail("A"), fail("A")), scanOf(fail("A")));
  expect(summary).toMatchObject({ new: 2, unchanged: 1 });
});

test("a scan of nothing is not a pass", () => {
  expect(scanStatus(scanOf())).toBe("not_evaluated");
  expect(scanStatus(scanOf({ rule_id: "A", status: "not_applicable" }))).toBe("not_evaluated");
  expect(scanStatus(scanOf(pass("A")))).toBe("pass");
  expect(scanStatus(scanOf(pass("A"), { rule_id: "B", status: "error" }))).toBe("error");
});

test("secrets are taken out of messages and paths", () => {
  expect(JSON.stringify(scanOf(fail("A", "x/hunter2/a", 1, "password hunter2")))).not.toContain("hunter2");
});

test.each([
  [{}, ""],
  [native([{ rule_id: "A", status: "ok" }]), "/results/0/status"],
  [native([{ ...fail("A"), location: { path: "a", line: 0 } }]), "/results/0/location/line"],
  [native([], { project: "" }), "/project"],
  [native([], { project: "a\nb" }), "/project"],
  [native([], { started_at: "yesterday" }), "/started_at"],
  [native([], { tool: "comply" }), "/tool"],
  [native(Array.from({ length: 25_001 }, () => pass("A"))), "/results"],
])("refuses %#", (input, path) => {
  try {
    finish(readNativeScan(input, reader));
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ScanError);
    if (path) expect((error as ScanError).path).toBe(path);
  }
});

test("comparing a scan with itself finds nothing new and nothing fixed; counts always add up", () => {
  const result = fc.record({
    rule_id: fc.constantFrom("A", "B", "C"),
    status: fc.constantFrom("pass", "fail", "error", "not_applicable"),
    location: fc.record({ path: fc.constantFrom("a", "b/c"), line: fc.integer({ min: 1, max: 9 }) }),
    message: fc.constantFrom("m", "n"),
  });
  fc.assert(
    fc.property(fc.array(result), fc.array(result), (a, b) => {
      const [before, after] = [scanOf(...a), scanOf(...b)];
      expect(compareScans(before, before).summary).toMatchObject({ new: 0, fixed: 0 });
      const { summary } = compareScans(after, before);
      expect(summary.new + summary.unchanged).toBe(summary.fail);
      const failedBefore = before.results.filter(r => r.status === "fail").length;
      expect(summary.unchanged + summary.fixed).toBeLessThanOrEqual(failedBefore);
    }),
  );
});
