import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { uuid5 } from "../uuid5.ts";
import type { FrameworkCoverage } from "./coverage.ts";
import type { Framework } from "./framework.ts";
import { assessmentResults, controlToken } from "./oscal.ts";

/**
 * A subset of NIST's JSON schema of OSCAL assessment results (public domain; compared member by member, with its required sets,
 * enumerations and data types, with the one of 1.2.0 in https://github.com/oscal-compass/compliance-trestle, release-schemas),
 * closed like it.
 */
const closed = (members: Record<string, TSchema>) => Type.Object(members, { additionalProperties: false });
const Uuid = Type.String({
  pattern: "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[45][0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}$",
});
const Token = Type.RegExp(/^(\p{L}|_)(\p{L}|\p{N}|[.\-_])*$/u);
const Text = Type.String({ pattern: "^\\S(.*\\S)?$" });
/** A line of Markdown. */
const Line = Type.String({ pattern: "^[^\\n]+$" });
const Uri = Type.String({ pattern: "^[a-zA-Z][a-zA-Z0-9+\\-.]+:.+$" });
const Time = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$" });
const Prop = closed({ name: Token, ns: Uri, value: Text });
const Observation = closed({
  uuid: Uuid,
  title: Line,
  description: Type.String(),
  props: Type.Array(Prop, { minItems: 1 }),
  methods: Type.Array(Type.Literal("TEST"), { minItems: 1 }),
  types: Type.Array(Token, { minItems: 1 }),
  collected: Time,
});
const Finding = closed({
  uuid: Uuid,
  title: Line,
  description: Type.String(),
  target: closed({
    type: Type.Union([Type.Literal("objective-id"), Type.Literal("statement-id")]),
    "target-id": Token,
    status: closed({
      state: Type.Union([Type.Literal("satisfied"), Type.Literal("not-satisfied")]),
      reason: Token,
    }),
  }),
  "related-observations": Type.Array(closed({ "observation-uuid": Uuid }), { minItems: 1 }),
});
const Document = closed({
  "assessment-results": closed({
    uuid: Uuid,
    metadata: closed({
      title: Line,
      "last-modified": Time,
      version: Text,
      "oscal-version": Text,
      remarks: Type.String(),
    }),
    "import-ap": closed({ href: Type.String({ pattern: "^#" }), remarks: Type.String() }),
    results: Type.Array(
      closed({
        uuid: Uuid,
        title: Line,
        description: Type.String(),
        start: Time,
        end: Time,
        "reviewed-controls": closed({
          "control-selections": Type.Array(
            closed({
              description: Type.Optional(Type.String()),
              "include-controls": Type.Optional(Type.Array(closed({ "control-id": Token }), { minItems: 1 })),
            }),
            { minItems: 1 },
          ),
        }),
        observations: Type.Optional(Type.Array(Observation, { minItems: 1 })),
        findings: Type.Optional(Type.Array(Finding, { minItems: 1 })),
      }),
      { minItems: 1 },
    ),
    "back-matter": closed({ resources: Type.Array(closed({ uuid: Uuid, title: Line }), { minItems: 1 }) }),
  }),
});

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
  expect([...Value.Errors(Document, made(covered))].map(e => `${e.path} ${e.message}`)).toEqual([]);
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
  expect([...Value.Errors(Document, nothing)].map(e => e.path)).toEqual([]);
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
