import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { spentMs } from "../../../test/spent.ts";
import { readSarif } from "./sarif.ts";
import { ScanError, type ScanReader, scanLimits, scanStatus } from "./scan.ts";

const reader: ScanReader = {
  hash: text => createHash("sha256").update(text).digest("hex"),
  redact: text => text.replaceAll(/AKIA\w+/g, "[secret]"),
};
const recording = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../test/fixtures/scans/${name}.sarif`, import.meta.url), "utf8"));
function finish<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
const read = (input: unknown, project = "acme/demo") => finish(readSarif(input, { project }, reader));
const log = (...runs: unknown[]) => ({ version: "2.1.0", runs });
const run = (results: unknown, more: object = {}) => ({ tool: { driver: { name: "t" } }, results, ...more });
const at = (uri: string, startLine = 1, snippet?: string) => ({
  physicalLocation: {
    artifactLocation: { uri },
    region: { startLine, ...(snippet && { snippet: { text: snippet } }) },
  },
});

test.each([
  ["eslint", 7, "ESLint", ["src/a.js"]],
  ["oxlint", 2, "oxlint", ["src/a.js"]],
  ["secretlint", 3, "secretlint", [".env", ".mcp.json"]],
  ["agentlint", 3, "AgentLint", ["CLAUDE.md"]],
])("reads what %s wrote", (name, count, tool, paths) => {
  const scan = read(recording(name));
  expect(scan.results).toHaveLength(count);
  expect(scan.tools[0]!.name).toBe(tool);
  expect(scan.results.every(r => r.status === "fail")).toBe(true);
  expect([...new Set(scan.results.map(r => r.location?.path))]).toEqual(paths);
  expect(new Set(scan.results.map(r => r.fingerprint)).size).toBe(count);
  expect(scan.complete).toBe(true);
  expect(scanStatus(scan)).toBe("fail");
});

test("the properties of agentlint give severities where the level says less", () => {
  expect(read(recording("agentlint")).results.map(r => r.severity)).toEqual(["high", "high", "low"]);
});

test.each([
  [{ properties: { "security-severity": "9.1" } }, "critical"],
  [{ properties: { "security-severity": 7 } }, "high"],
  [{ properties: { "security-severity": "4.0" }, level: "error" }, "medium"],
  [{ properties: { "security-severity": "0.1" } }, "low"],
  [{ properties: { "security-severity": "none" }, level: "error" }, "high"],
  [{ level: "note" }, "low"],
  [{ level: "toString" }, "medium"],
  [{}, "medium"],
])("%j is %s", (more, severity) => {
  const scan = read(log(run([{ ruleId: "r", message: { text: "m" }, ...more }])));
  expect(scan.results[0]!.severity).toBe(severity as "low");
});

test("a rule's default level and message string are used", () => {
  const rules = [
    {
      id: "R1",
      defaultConfiguration: { level: "error" },
      messageStrings: { default: { text: "{0} calls {1}, not {2}" } },
    },
  ];
  const result = { ruleIndex: 0, message: { id: "default", arguments: ["a", "b"] } };
  const scan = read(log({ tool: { driver: { name: "t", rules } }, results: [result] }));
  expect(scan.results[0]).toMatchObject({ rule_id: "R1", severity: "high", message: "a calls b, not {2}" });
});

test.each([
  ["pass", {}, "pass"],
  ["notApplicable", {}, "not_applicable"],
  ["open", {}, "error"],
  ["review", {}, "fail"],
  ["constructor", {}, "fail"],
  ["fail", { suppressions: [{ status: "accepted" }] }, "not_applicable"],
  ["fail", { suppressions: [{ status: "rejected" }] }, "fail"],
  ["fail", { suppressions: [{}] }, "not_applicable"],
  ["fail", { suppressions: [] }, "fail"],
])("kind %s with %j counts as %s", (kind, more, status) => {
  const scan = read(log(run([{ ruleId: "r", kind, message: { text: "m" }, ...more }])));
  expect(scan.results[0]!.status).toBe(status as "fail");
});

test("neither a snippet nor a secret in a message is kept", () => {
  const result = { ruleId: "r", message: { text: "found AKIA123 here" }, locations: [at(".env", 3, "KEY=AKIA456 x")] };
  const scan = read(log(run([result])));
  expect(JSON.stringify(scan)).not.toMatch(/AKIA|KEY=/);
  expect(scan.results[0]!.message).toBe("found [secret] here");
});

test("a finding that only moved keeps its fingerprint; another snippet is another finding", () => {
  const finding = (line: number, snippet: string) =>
    read(log(run([{ ruleId: "r", message: { text: `line ${line}` }, locations: [at("a.ts", line, snippet)] }])))
      .results[0]!.fingerprint;
  expect(finding(3, "  eval(x)")).toBe(finding(90, "eval(x)"));
  expect(finding(3, "eval(x)")).not.toBe(finding(3, "eval(y)"));
});

test("the producer's own line hash is preferred, and equal findings are told apart", () => {
  const result = (hash: string) => ({
    ruleId: "r",
    message: { text: Math.random().toString(36) },
    partialFingerprints: { primaryLocationLineHash: hash },
  });
  const prints = read(log(run([result("a:1"), result("a:1"), result("b:1")]))).results.map(r => r.fingerprint);
  expect(new Set(prints).size).toBe(3);
  expect(read(log(run([result("a:1"), result("a:1"), result("b:1")]))).results.map(r => r.fingerprint)).toEqual(prints);
});

test.each([
  ["file:///home/dev/demo/src/a.js", {}, "src/a.js"],
  ["file:///C:/work/demo/src/a%20b.js", {}, "src/a b.js"],
  ["C:\\work\\demo\\src\\a.js", {}, "src/a.js"],
  ["./src/../src/./a.js", {}, "src/a.js"],
  ["../../etc/passwd", {}, "etc/passwd"],
  ["file:///build/x/lib/a.js", { originalUriBaseIds: { SRCROOT: { uri: "file:///build/x/" } } }, "lib/a.js"],
  [
    "file:///build/x/lib/a.js",
    { invocations: [{ executionSuccessful: true, workingDirectory: { uri: "file:///build/x" } }] },
    "lib/a.js",
  ],
  ["file:///build/xy/a.js", { originalUriBaseIds: { SRCROOT: { uri: "file:///build/x/" } } }, "build/xy/a.js"],
  ["src/%E0%A4%A.js", {}, "src/%E0%A4%A.js"],
])("%s is stored relative to the project", (uri, more, path) => {
  const scan = read(
    log(run([{ ruleId: "r", message: { text: "m" }, locations: [at(uri as string)] }], more as object)),
  );
  expect(scan.results[0]!.location!.path).toBe(path as string);
});

test.each([
  ["build/main/42", "build/main"],
  ["build/main/", "build/main"],
  ["nightly", "nightly"],
  ["/x", "/x"],
])("automationDetails.id %s names project %s", (id, project) => {
  const input = log(run([], { automationDetails: { id } }));
  expect(finish(readSarif(input, {}, reader)).project).toBe(project);
});

test("a scan without a project is refused", () => {
  expect(() => finish(readSarif(log(run([])), {}, reader))).toThrow(ScanError);
});

test("a run without results, or one that looked at nothing, is no pass", () => {
  expect(scanStatus(read(log(run(null))))).toBe("not_evaluated");
  expect(scanStatus(read(log(run([]))))).toBe("not_evaluated");
  expect(scanStatus(read(log()))).toBe("not_evaluated");
  const looked = { artifacts: [{ location: { uri: "a.js" } }] };
  expect(scanStatus(read(log(run([], looked))))).toBe("pass");
  expect(scanStatus(read(log(run([], { ...looked, invocations: [{ executionSuccessful: false }] }))))).toBe(
    "not_evaluated",
  );
});

test("placeholders cannot blow a message up, and huge texts are cut before they are read", () => {
  const bomb = { text: "{0}".repeat(100_000), arguments: ["x".repeat(100_000)] };
  const text = log(run([{ ruleId: "r", message: bomb }]));
  const bounded = () => expect(read(text).results[0]!.message).toBe("x".repeat(scanLimits.messageLength));
  expect(spentMs(bounded)).toBeLessThan(500);
});

test("several runs become one scan with all tools", () => {
  const scan = read(log(...["eslint", "oxlint"].map(name => (recording(name) as { runs: unknown[] }).runs[0])));
  expect(scan.tools.map(t => t.name)).toEqual(["ESLint", "oxlint"]);
  expect(scan.results).toHaveLength(9);
});

test("the limits hold: 20 runs, 25,000 results, 5,000 kept by severity", () => {
  const many = (n: number) =>
    Array.from({ length: n }, (_, i) => ({
      ruleId: "r",
      level: i % 10 === 0 ? "error" : "note",
      message: { text: `m${i}` },
    }));
  const scan = read(log(run(many(scanLimits.resultsKept + 5))));
  expect(scan.truncated).toBe(true);
  expect(scan.results).toHaveLength(scanLimits.resultsKept);
  expect(scan.results.slice(0, 501).every(r => r.severity === "high")).toBe(true);
  const refused = (input: unknown) => {
    try {
      read(input);
      return "taken";
    } catch (error) {
      return error instanceof ScanError ? error.code : String(error);
    }
  };
  expect(refused(log(run(many(scanLimits.resultsPerRun + 1))))).toBe("too_many");
  expect(refused(log(...Array.from({ length: 21 }, () => run([]))))).toBe("too_many");
  expect(refused(log(...Array.from({ length: 20 }, () => run([]))))).toBe("taken");
});

test.each([
  [null],
  [[]],
  ["x"],
  [{}],
  [{ version: "2.0.0", runs: [] }],
  [{ version: "2.1.0" }],
  [log({})],
  [log(run([{ ruleId: "r" }]))],
  [log(run({}))],
  [log(run([{ message: { text: 1 } }]))],
])("%j is not SARIF", input => {
  expect(() => read(input)).toThrow(ScanError);
});

test("unknown members and nulls are tolerated", () => {
  const odd = { ruleId: null, level: null, locations: null, message: { text: null }, x: { y: 1 } };
  const scan = read({ ...log(run([odd], { later: [1] })), inlineExternalProperties: [] });
  expect(scan.results[0]).toMatchObject({ rule_id: "unnamed", status: "fail", severity: "medium" });
});

test("whatever JSON comes, it is read or refused by name", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (results, location) => {
      for (const input of [results, log(run(results)), log(run([{ message: { text: "m" }, locations: location }]))]) {
        try {
          read(input);
        } catch (error) {
          if (!(error instanceof ScanError)) throw error;
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("stored paths are relative and stay inside, whatever the uri", () => {
  fc.assert(
    fc.property(fc.string(), uri => {
      const scan = read(log(run([{ message: { text: "m" }, locations: [at(uri)] }])));
      const path = scan.results[0]!.location?.path ?? "";
      expect(path.startsWith("/")).toBe(false);
      expect(path.split("/")).not.toContain("..");
    }),
  );
});
