import type { Check } from "./check.ts";
import type { CheckResult, Finding } from "./evaluate.ts";
import type { ScanFrame } from "./scan.ts";

const levels = { critical: "error", high: "error", medium: "warning", low: "note" } as const;
/** GitHub's numeric scale for `security-severity`. */
const scores = { critical: "9.5", high: "8.0", medium: "5.5", low: "3.0" } as const;

/** SARIF 2.1.0 (OASIS). Failures and errors are results; what was not evaluated is told in the invocation. */
export function sarif(frame: ScanFrame, results: readonly CheckResult[]): object {
  const unevaluated = results.filter(result => result.status === "not_evaluated");
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: frame.tool.name,
            version: frame.tool.version,
            rules: results.map(({ check }) => rule(check)),
          },
        },
        automationDetails: { id: `${frame.project}/` },
        ...provenance(frame),
        invocations: [
          {
            executionSuccessful: !results.some(result => result.status === "error"),
            startTimeUtc: frame.started_at,
            endTimeUtc: frame.finished_at,
            toolExecutionNotifications: unevaluated.map(({ check, reason }) => ({
              level: "note",
              message: { text: `not evaluated: ${reason}` },
              associatedRule: { id: check.id },
            })),
          },
        ],
        originalUriBaseIds: { SRCROOT: { description: { text: "The project" } } },
        columnKind: "utf16CodeUnits",
        results: results.flatMap((result, ruleIndex) =>
          "findings" in result ? result.findings.map(finding => sarifResult(result, ruleIndex, finding)) : [],
        ),
      },
    ],
  };
}

const provenance = ({ commit, branch }: ScanFrame) =>
  commit ? { properties: { commit, ...(branch ? { branch } : {}) } } : {};

const rule = (check: Check) => ({
  id: check.id,
  shortDescription: { text: check.title },
  fullDescription: { text: check.why },
  help: { text: check.fix, markdown: check.fix },
  defaultConfiguration: { level: levels[check.severity] },
  properties: { "security-severity": scores[check.severity], tags: ["security", "ai-agents"] },
});

/** What could not be decided is `open`, which has no level (§3.27.9, §3.27.10). */
const verdictOf = (status: CheckResult["status"], { severity }: Check, message: string) =>
  status === "error"
    ? { kind: "open", level: "none", message: { text: `could not be evaluated: ${message}` } }
    : { kind: "fail", level: levels[severity], message: { text: message } };

function sarifResult({ check, status }: CheckResult, ruleIndex: number, { path, line, message }: Finding) {
  const uri = path.split("/").map(encodeURIComponent).join("/");
  return {
    ruleId: check.id,
    ruleIndex,
    ...verdictOf(status, check, message),
    locations: [
      {
        physicalLocation: {
          artifactLocation: /^[~/]/.test(path) ? { uri } : { uri, uriBaseId: "SRCROOT" },
          ...(line === undefined ? {} : { region: { startLine: line } }),
        },
      },
    ],
    partialFingerprints: { "gatehouse/v1": `${check.id}:${path}:${message}`.slice(0, 512) },
  };
}
