import type { ControlCoverage, FrameworkCoverage, RuleCoverage } from "./coverage.ts";
import type { Evidence } from "./evidence.ts";
import type { Framework } from "./framework.ts";

/** NIST OSCAL assessment results, https://pages.nist.gov/OSCAL/reference/1.2.0/assessment-results/json-outline/ */
export const oscalVersion = "1.2.0";

export interface OscalContext {
  organisation: string;
  product: { name: string; version: string };
  /** RFC 3339. */
  at: string;
  /** Start of the window that was looked at: RFC 3339. */
  since: string;
  /** RFC 9562 version 5 (or 4) for a name: the same name, the same document's part. */
  uuid(name: string): string;
}

type Json = Record<string, unknown>;

/** One document: a result per framework, a finding per evaluated control, an observation per fact behind them. */
export function assessmentResults(
  frameworks: readonly (readonly [Framework, FrameworkCoverage])[],
  context: OscalContext,
): Json {
  const plan = context.uuid("plan");
  return {
    "assessment-results": {
      uuid: context.uuid(`document ${context.at}`),
      metadata: {
        title: `Continuous assessment of ${clean(context.organisation)}`,
        "last-modified": context.at,
        version: context.at,
        "oscal-version": oscalVersion,
        remarks: "Supporting evidence for an assessment; no statement of compliance.",
      },
      "import-ap": { href: `#${plan}`, remarks: "There is no separate plan: the product assesses continuously." },
      results: frameworks.map(([framework, covered]) => result(framework, covered, context)),
      "back-matter": {
        resources: [{ uuid: plan, title: `${context.product.name} ${context.product.version}, continuous assessment` }],
      },
    },
  };
}

function result(framework: Framework, covered: FrameworkCoverage, context: OscalContext): Json {
  const evaluated = covered.controls.filter(control => control.status !== "not_evaluated");
  const observations = observe(framework, evaluated, context);
  return {
    uuid: context.uuid(`result ${framework.framework} ${context.at}`),
    title: `${framework.title} ${framework.version}`,
    description: `${evaluated.length} of ${covered.controls.length} mapped controls could be evaluated; the others are not part of this result.`,
    start: context.since,
    end: context.at,
    "reviewed-controls": { "control-selections": [selection(covered.controls, evaluated)] },
    ...(observations.length > 0 && { observations }),
    ...(evaluated.length > 0 && {
      findings: evaluated.map(control => finding(framework, control, context)),
    }),
  };
}

/** A selection must include something: where nothing could be evaluated, everything less everything. */
function selection(controls: readonly ControlCoverage[], evaluated: readonly ControlCoverage[]): Json {
  const ids = (some: readonly ControlCoverage[]) =>
    some.map(({ control }) => ({ "control-id": controlToken(control) }));
  if (evaluated.length > 0) return { "include-controls": ids(evaluated) };
  return { description: "Nothing could be evaluated.", "include-all": {}, "exclude-controls": ids(controls) };
}

/** Facts are shared between controls: one observation each. */
function observe(framework: Framework, controls: readonly ControlCoverage[], context: OscalContext): Json[] {
  const facts = new Map<string, Json>();
  for (const { evidence, rules } of controls) {
    for (const fact of evidence.filter(isKnown)) {
      const uuid = observationId(framework, fact.kind, context);
      facts.set(uuid, fromEvidence(fact, uuid, context));
    }
    for (const rule of rules.filter(isEvaluated)) {
      const uuid = observationId(framework, rule.rule, context);
      facts.set(uuid, fromRule(rule, uuid, context));
    }
  }
  return [...facts.values()];
}

const isKnown = (fact: Evidence): boolean => fact.status !== "unknown";
const isEvaluated = (rule: RuleCoverage): boolean => ["pass", "partial", "fail"].includes(rule.status);

const observationId = (framework: Framework, name: string, context: OscalContext): string =>
  context.uuid(`observation ${framework.framework} ${name} ${context.at}`);

function fromEvidence({ kind, status, statement, log, figures }: Evidence, uuid: string, { at }: OscalContext): Json {
  const numbers = Object.entries(figures).map(([name, value]) => prop(name.replaceAll("_", "-"), String(value)));
  return {
    uuid,
    title: kind,
    description: statement,
    props: [prop("strength", status), prop("log-from", String(log.from)), prop("log-to", String(log.to)), ...numbers],
    methods: ["TEST"],
    types: ["control-objective"],
    collected: at,
  };
}

function fromRule({ rule, status, scans, evidence }: RuleCoverage, uuid: string, { at }: OscalContext): Json {
  return {
    uuid,
    title: rule,
    description: `Rule ${rule}: ${status}, ${evidence ? `judged by ${evidence}` : "as scanned"}.`,
    props: [prop("outcome", status), ...scans.map(scan => prop("scan", scan))],
    methods: ["TEST"],
    types: ["finding"],
    collected: at,
  };
}

/** Names are tokens and values must not be blank; the namespace keeps them apart from OSCAL's own. */
const prop = (name: string, value: string): Json => ({ name, ns: "urn:gatehouse:oscal", value: clean(value) });

function finding(framework: Framework, covered: ControlCoverage, context: OscalContext): Json {
  const { control, title, status, evidence, rules } = covered;
  const related = [...evidence.filter(isKnown).map(fact => fact.kind), ...rules.filter(isEvaluated).map(r => r.rule)];
  return {
    uuid: context.uuid(`finding ${framework.framework} ${control} ${context.at}`),
    title: `${control} ${title}`,
    description: `Coverage: ${status}.`,
    target: {
      type: "objective-id",
      "target-id": controlToken(control),
      status: {
        state: status === "covered" ? "satisfied" : "not-satisfied",
        reason: status === "covered" ? "pass" : status === "failing" ? "fail" : "other",
      },
    },
    "related-observations": related.map(name => ({ "observation-uuid": observationId(framework, name, context) })),
  };
}

/** A control's identifier as an OSCAL token; `AC-6` becomes `ac-6` as in NIST's catalogue, `164.312(b)` `_164.312-b`. */
export function controlToken(control: string): string {
  const token = control
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/(?<!-)-+$/, "");
  return /^[\p{L}_]/u.test(token) ? token : `_${token}`;
}

/** OSCAL strings have no white space at the ends and are not empty. */
const clean = (text: string): string => text.replace(/\s+/g, " ").trim() || "-";
