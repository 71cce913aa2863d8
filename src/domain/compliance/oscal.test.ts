import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { heldAgainst } from "../../../test/schemas.ts";
import { uuid5 } from "../uuid5.ts";
import type { FrameworkCoverage } from "./coverage.ts";
import type { Framework } from "./framework.ts";
import { assessmentResults, controlToken, oscalVersion } from "./oscal.ts";

/** NIST's whole schema of the version the documents name. */
const faults = heldAgainst(`oscal-assessment-results-${oscalVersion}.json`);
const sha1 = (bytes: Uint8Array) => new Uint8Array(createHash("sha1").update(bytes).digest());
const namespace = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
const context = {
  organisation: " Acme \n GmbH ",
  product: { name: "Gatehouse", version: "0.1.0" },
  at: "2026-01-02T03:04:05.000Z",
  since: "2025-12-02T03:04:05.000Z",
  uuid: (name: string) => uuid5(sha1, namespace, name),
};
const framework: Framework = {
  framework: "hipaa",
  title: "HIPAA",
  version: "45 CFR",
  licence: "free",
  source: "https://x.test",
  title_owned: false,
  controls: [{ id: "164.312(b)", title: "Audit controls", checked: true }],
};
const fact = {
  kind: "chain-verified",
  status: "met" as const,
  statement: "All 9 hashes of the chain verify.",
  figures: { valid: true, entries: 9, note: "" },
  log: { from: 0, to: 9 },
};
const unknown = { ...fact, kind: "scans-recent", status: "unknown" as const, figures: {} };
const rules = [
  { rule: "GH-LOG-001", status: "fail" as const, scans: ["scn_1"] },
  { rule: "GH-LOG-003", status: "not_evaluated" as const, scans: [] },
];
const covered: FrameworkCoverage = {
  framework: "hipaa",
  summary: { covered: 1, partial: 1, failing: 1, not_evaluated: 1 },
  controls: [
    { control: "164.312(b)", title: "Audit controls", status: "failing", evidence: [fact, unknown], rules },
    { control: "164.312(c)(1)", title: "Integrity", status: "covered", evidence: [fact], rules: [] },
    { control: "164.308(a)(8)", title: "Evaluation", status: "partial", evidence: [fact, unknown], rules: [] },
    { control: "164.314(a)(1)", title: "Contracts", status: "not_evaluated", evidence: [unknown], rules: [] },
  ],
};
interface Results {
  "assessment-results": { results: Record<string, { [key: string]: unknown }[]>[] };
}
const made = (coverage: FrameworkCoverage) => assessmentResults([[framework, coverage]], context) as unknown as Results;

test("the document has the published shape", () => {
  expect(faults(made(covered))).toEqual([]);
});

test("facts are told once, unknown ones not at all, and every finding leads to its observations", () => {
  const result = made(covered)["assessment-results"].results[0]!;
  expect(result["observations"]!.map(o => o["title"])).toEqual(["chain-verified", "GH-LOG-001"]);
  const known = new Set(result["observations"]!.map(o => o["uuid"]));
  for (const finding of result["findings"]!) {
    for (const related of finding["related-observations"] as { "observation-uuid": string }[]) {
      expect(known).toContain(related["observation-uuid"]);
    }
  }
});

test("only covered is satisfied, and what was not evaluated is not part of the result", () => {
  const result = made(covered)["assessment-results"].results[0]!;
  const states = result["findings"]!.map(f => (f["target"] as { status: unknown }).status);
  expect(states).toEqual([
    { state: "not-satisfied", reason: "fail" },
    { state: "satisfied", reason: "pass" },
    { state: "not-satisfied", reason: "other" },
  ]);
  expect(JSON.stringify(result)).not.toContain("164.314");
});

test("a framework of which nothing could be evaluated is still a valid result", () => {
  const nothing = made({ ...covered, controls: [covered.controls[3]!] });
  expect(faults(nothing)).toEqual([]);
  expect(nothing["assessment-results"].results[0]).not.toHaveProperty("findings");
});

test.each([
  ["AC-6", "ac-6"],
  ["164.312(b)", "_164.312-b"],
  ["164.308(a)(5)(ii)(B)", "_164.308-a-5-ii-b"],
  ["MEASURE 2.10", "measure-2.10"],
  ["Art. 26(5)", "art.-26-5"],
  ["A.5.1", "a.5.1"],
])("%s is the token %s", (control, token) => {
  expect(controlToken(control)).toBe(token);
});

test("version 5 UUIDs are those of the RFC", () => {
  expect(uuid5(sha1, namespace, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
});
