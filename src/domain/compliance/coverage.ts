import type { Catalogue } from "./catalogue.ts";
import { type Evidence, type EvidenceKind, type Figures, judgeEvidence, judgeTag, type Strength } from "./evidence.ts";
import type { Control, Framework } from "./framework.ts";
import type { ComplianceRule } from "./rule.ts";
import type { Outcome } from "./scan.ts";

export const coverageStatuses = ["covered", "partial", "failing", "not_evaluated"] as const;
export type CoverageStatus = (typeof coverageStatuses)[number];

/** The newest scan of one project by one tool, as far as compliance rules are concerned. */
export interface ScanOutcomes {
  id: string;
  project: string;
  outcomes: Readonly<Record<string, Outcome>>;
}

/**
 * A rule's state. `scans`: the newest scans that decided it, so that a reader can open them; `evidence`: what decided it
 * where no file can tell. `partial` exists for the latter only.
 */
export interface RuleCoverage {
  rule: string;
  status: Outcome | "partial" | "not_evaluated";
  scans: string[];
  evidence?: EvidenceKind;
}

export interface ControlCoverage {
  control: string;
  title: string;
  status: CoverageStatus;
  evidence: Evidence[];
  rules: RuleCoverage[];
}

export interface FrameworkCoverage {
  framework: string;
  summary: Record<CoverageStatus, number>;
  controls: ControlCoverage[];
}

/** How far the enabled frameworks are supported. Whatever was not looked at is never a pass. */
export function coverage(
  catalogue: Catalogue,
  enabled: readonly string[],
  scans: readonly ScanOutcomes[],
  figures: Figures,
): FrameworkCoverage[] {
  const rules = ruleStates(catalogue, scans, figures);
  return enabled
    .map(id => catalogue.framework(id))
    .filter(framework => framework !== undefined)
    .map(framework => coverFramework(framework, rules, figures));
}

function coverFramework(framework: Framework, rules: ReadonlyMap<string, RuleCoverage>, figures: Figures) {
  const controls = framework.controls.map(control => coverControl(control, rules, figures));
  const summary = { covered: 0, partial: 0, failing: 0, not_evaluated: 0 };
  for (const { status } of controls) summary[status]++;
  return { framework: framework.framework, summary, controls };
}

function coverControl(control: Control, states: ReadonlyMap<string, RuleCoverage>, figures: Figures): ControlCoverage {
  const rules = (control.rules ?? []).map(id => states.get(id)!);
  const kinds = new Set([...(control.evidence ?? []), ...rules.flatMap(rule => rule.evidence ?? [])]);
  const evidence = [
    ...[...kinds].map(kind => judgeEvidence(kind, figures)),
    ...(control.tags ?? []).map(tag => judgeTag(tag, figures)),
  ];
  const parts = [...evidence.map(e => e.status), ...rules.map(strength).filter(s => s !== null)];
  return { control: control.id, title: control.title, status: combine(parts), evidence, rules };
}

const strengths: Record<RuleCoverage["status"], Strength | null> = {
  pass: "met",
  partial: "partly",
  fail: "unmet",
  error: "unknown",
  not_evaluated: "unknown",
  not_applicable: null,
};
const strength = (rule: RuleCoverage): Strength | null => strengths[rule.status];

function combine(parts: readonly Strength[]): CoverageStatus {
  if (parts.includes("unmet")) return "failing";
  if (parts.every(part => part === "unknown")) return "not_evaluated";
  return parts.every(part => part === "met") ? "covered" : "partial";
}

/** A failure in any project fails the rule; a pass counts only where nothing failed or broke. */
const order: readonly Outcome[] = ["fail", "error", "pass", "not_applicable"];

function ruleStates(catalogue: Catalogue, scans: readonly ScanOutcomes[], figures: Figures): Map<string, RuleCoverage> {
  const decided = byRule(scans);
  return new Map(
    catalogue.rules.map(rule => [rule.id, scanned(rule.id, decided.get(rule.id)) ?? judged(rule, figures)]),
  );
}

type Deciding = Partial<Record<Outcome, string[]>>;

/** Rule → outcome → the scans that say so. A scan decides few rules, and there is one for every project. */
function byRule(scans: readonly ScanOutcomes[]): Map<string, Deciding> {
  const decided = new Map<string, Deciding>();
  for (const { id, outcomes: found } of scans)
    for (const [rule, outcome] of Object.entries(found)) {
      let of = decided.get(rule);
      if (!of) decided.set(rule, (of = {}));
      (of[outcome] ??= []).push(id);
    }
  return decided;
}

function scanned(rule: string, deciding: Deciding = {}): RuleCoverage | undefined {
  const status = order.find(outcome => deciding[outcome] !== undefined);
  return status && { rule, status, scans: deciding[status]! };
}

const outcomes = { met: "pass", partly: "partial", unmet: "fail", unknown: "not_evaluated" } as const;

function judged({ id, evidence }: ComplianceRule, figures: Figures): RuleCoverage {
  if (!evidence) return { rule: id, status: "not_evaluated", scans: [] };
  return { rule: id, status: outcomes[judgeEvidence(evidence, figures).status], scans: [], evidence };
}
