import { checkOf } from "../schema-check.ts";
import type { Severity } from "../policy/verdict.ts";
import { firstError } from "../schema-error.ts";
import { type Unmarked, withFingerprints } from "./fingerprint.ts";
import { relativePath } from "./location.ts";
import { SarifLog, type SarifResult, type SarifRule, type SarifRun } from "./sarif-schema.ts";
import { sarifSeverity } from "./sarif-severity.ts";
import { inSlices, keepMostSevere, type Outcome, type Scan, ScanError, type ScanReader, scanLimits } from "./scan.ts";

const shape = checkOf(SarifLog);
const ROOTS_MAX = 50;

/** What the document itself may not say. `roots`: folders the project was checked out to. */
export interface SarifOptions {
  project?: string;
  roots?: readonly string[];
}

/**
 * Reads a SARIF 2.1.0 log of up to 20 runs as one scan, in slices. Throws ScanError. Snippets are hashed, never kept.
 * The most severe results are chosen first: only what is kept is redacted.
 */
export function* readSarif(input: unknown, options: SarifOptions, reader: ScanReader): Generator<undefined, Scan> {
  if (!shape().Check(input)) throw shapeError(input);
  const { runs } = input;
  const project = options.project ?? runs.map(projectOf).find(id => id !== undefined);
  if (project === undefined) {
    throw new ScanError(
      "invalid",
      "/runs/0/automationDetails/id",
      "Name the project: ?project= or automationDetails.id.",
    );
  }
  const [kept, truncated] = keepMostSevere(runs.flatMap(run => weighRun(run, options.roots ?? [])));
  yield undefined;
  const results = yield* inSlices(kept, weighed => readResult(weighed, project, reader));
  return {
    project,
    format: "sarif",
    tools: runs.map(({ tool: { driver } }) => {
      const version = driver.semanticVersion ?? driver.version;
      return { name: driver.name, ...(version && { version }) };
    }),
    ...provenance(runs),
    results: withFingerprints(results, reader),
    truncated,
    complete: runs.length > 0 && runs.every(isComplete),
  };
}

function shapeError(input: unknown): ScanError {
  const { path, message } = firstError(shape().Errors(input));
  const full = /^Expected array length to be less or equal/.test(message);
  return new ScanError(full ? "too_many" : "invalid", path, message);
}

/** The category of `automationDetails.id`: all but its last part, which names the single run (SARIF §3.17.3). */
function projectOf(run: SarifRun): string | undefined {
  const id = run.automationDetails?.id?.trim();
  if (!id) return undefined;
  const cut = id.lastIndexOf("/");
  const category = cut > 0 ? id.slice(0, cut) : id;
  return category.slice(0, 200) || undefined;
}

/** A run without results did not run (§3.14.23); one without rules, files and results shows nothing looked at. */
function isComplete(run: SarifRun): boolean {
  if (!run.results) return false;
  if (run.invocations?.some(i => i.executionSuccessful === false)) return false;
  return run.results.length > 0 || !!run.artifacts?.length || !!run.tool.driver.rules?.length;
}

function provenance(runs: readonly SarifRun[]) {
  const source = runs.flatMap(run => run.versionControlProvenance ?? [])[0];
  const calls = runs.flatMap(run => run.invocations ?? []);
  const started = calls.flatMap(i => i.startTimeUtc ?? [])[0];
  const finished = calls.flatMap(i => i.endTimeUtc ?? []).at(-1);
  return {
    ...(source?.revisionId && { commit: source.revisionId.slice(0, 200) }),
    ...(source?.branch && { branch: source.branch.slice(0, 300) }),
    ...(started && { started_at: started.slice(0, 40) }),
    ...(finished && { finished_at: finished.slice(0, 40) }),
  };
}

/** A result with what decides whether it is kept, before anything costly is done with it. */
interface Weighed {
  result: SarifResult;
  rule: SarifRule | undefined;
  ruleId: string;
  status: Outcome;
  severity?: Severity;
  run: SarifRun;
  roots: readonly string[];
}

function weighRun(run: SarifRun, extraRoots: readonly string[]): Weighed[] {
  const rules = run.tool.driver.rules ?? [];
  const byId = new Map(rules.map(rule => [rule.id, rule]));
  const roots = [...extraRoots, ...rootsOf(run)].slice(0, ROOTS_MAX);
  return (run.results ?? [])
    .filter(result => result.baselineState !== "absent")
    .map(result => {
      const index = result.ruleIndex ?? result.rule?.index ?? -1;
      const named = result.ruleId ?? result.rule?.id ?? undefined;
      const rule = rules[index] ?? (named === undefined ? undefined : (byId.get(named) ?? byId.get(parentRule(named))));
      const status = outcome(result);
      const severity = status === "fail" ? { severity: sarifSeverity(result, rule) } : {};
      return { result, rule, ruleId: named ?? rule?.id ?? "unnamed", status, ...severity, run, roots };
    });
}

/** `CA1000/1` is a variant of `CA1000` (§3.27.5). */
const parentRule = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf("/")));

function readResult(weighed: Weighed, project: string, reader: ScanReader): Unmarked {
  const { result, rule, ruleId, status, severity, run } = weighed;
  const message = reader.redact(messageText(result, rule)).slice(0, scanLimits.messageLength);
  const snippet = result.locations?.[0]?.physicalLocation?.region?.snippet?.text?.slice(0, scanLimits.readLength);
  const location = locate(weighed, project, reader);
  const lineHash = result.partialFingerprints?.["primaryLocationLineHash"];
  return {
    tool: run.tool.driver.name,
    rule_id: reader.redact(ruleId),
    status,
    ...(severity && { severity }),
    ...(location && { location }),
    ...(message && { message }),
    ...(snippet && { anchor: reader.redact(snippet) }),
    ...(lineHash && { lineHash }),
  };
}

const kinds: Record<string, Outcome> = {
  pass: "pass",
  notApplicable: "not_applicable",
  informational: "not_applicable",
  open: "error",
};

/** `kind` decides (§3.27.9); an accepted suppression takes a finding out; `level: none` alone is no failure. */
function outcome(result: SarifResult): Outcome {
  if (result.kind && Object.hasOwn(kinds, result.kind)) return kinds[result.kind]!;
  const accepted = result.suppressions?.some(s => s.status == null || s.status === "accepted");
  return accepted || result.level === "none" ? "not_applicable" : "fail";
}

/** The text, or the rule's message string with its arguments filled in (§3.11.5); no longer than what is read of it. */
function messageText({ message }: SarifResult, rule: SarifRule | undefined): string {
  const template =
    message.text ?? (message.id ? rule?.messageStrings?.[message.id]?.text : undefined) ?? message.markdown ?? "";
  const values = message.arguments ?? [];
  let room: number = scanLimits.readLength;
  const filled = template.slice(0, scanLimits.readLength).replace(/\{(\d{1,3})\}/g, (whole, n: string) => {
    const value = (values[Number(n)] ?? whole).slice(0, Math.max(0, room));
    room -= value.length;
    return value;
  });
  return filled.slice(0, scanLimits.readLength);
}

function locate({ result, run, roots }: Weighed, project: string, reader: ScanReader): Unmarked["location"] {
  const physical = result.locations?.[0]?.physicalLocation;
  const artifact = physical?.artifactLocation;
  const uri = artifact?.uri ?? (artifact?.index == null ? undefined : run.artifacts?.[artifact.index]?.location?.uri);
  if (!uri) return undefined;
  const line = physical?.region?.startLine;
  const path = relativePath(uri.slice(0, scanLimits.readLength), roots, project);
  return { path: reader.redact(path), ...(line ? { line } : {}) };
}

function rootsOf(run: SarifRun): string[] {
  const bases = Object.values(run.originalUriBaseIds ?? {}).flatMap(base => base.uri ?? []);
  return [...bases, ...(run.invocations ?? []).flatMap(i => i.workingDirectory?.uri ?? [])];
}
