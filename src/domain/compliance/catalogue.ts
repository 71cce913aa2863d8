import { DocumentError } from "../yaml-document.ts";
import type { Control, Framework } from "./framework.ts";
import type { ComplianceRule } from "./rule.ts";

export interface Mapping {
  framework: string;
  control: string;
}

/** A rule as the API shows it. */
export interface MappedRule {
  id: string;
  title: string;
  why: string;
  severity: ComplianceRule["severity"];
  fix: string;
  mappings: Mapping[];
}

/** All frameworks and rules, joined and checked against each other. */
export interface Catalogue {
  /** In the order of the files given. */
  frameworks: readonly Framework[];
  framework(id: string): Framework | undefined;
  control(framework: string, id: string): Control | undefined;
  rules: readonly ComplianceRule[];
  /** Rules with their mappings; `framework` keeps only those that map to it, and only those mappings. */
  mapped(framework?: string): MappedRule[];
}

/** Throws DocumentError when an id is used twice, a control names a rule that is not there, or a rule maps nowhere. */
export function buildCatalogue(frameworks: readonly Framework[], rules: readonly ComplianceRule[]): Catalogue {
  const byFramework = unique(frameworks, f => f.framework, "framework");
  const byRule = unique(rules, r => r.id, "rule");
  const controls = new Map(
    frameworks.map(f => [f.framework, unique(f.controls, c => c.id, `${f.framework}: control`)] as const),
  );
  const mappings = collectMappings(frameworks, byRule);
  return {
    frameworks,
    rules,
    framework: id => byFramework.get(id),
    control: (framework, id) => controls.get(framework)?.get(id),
    mapped: framework =>
      rules.map(rule => withMappings(rule, mappings.get(rule.id)!, framework)).filter(keeps(framework)),
  };
}

function collectMappings(frameworks: readonly Framework[], rules: ReadonlyMap<string, ComplianceRule>) {
  const mappings = new Map<string, Mapping[]>([...rules.keys()].map(id => [id, []]));
  for (const { framework, controls } of frameworks) {
    for (const control of controls) {
      for (const rule of control.rules ?? []) {
        const list = mappings.get(rule);
        if (!list) throw new DocumentError(`${framework}: control ${control.id} names ${rule}, which is not a rule`);
        list.push({ framework, control: control.id });
      }
    }
  }
  for (const [rule, list] of mappings) if (list.length === 0) throw new DocumentError(`${rule} maps to no control`);
  return mappings;
}

function withMappings(rule: ComplianceRule, all: readonly Mapping[], framework?: string): MappedRule {
  const { id, title, why, severity, fix } = rule;
  const mappings = framework === undefined ? [...all] : all.filter(m => m.framework === framework);
  return { id, title, why, severity, fix, mappings };
}

const keeps = (framework?: string) => (rule: MappedRule) => framework === undefined || rule.mappings.length > 0;

function unique<T>(items: readonly T[], key: (item: T) => string, what: string): Map<string, T> {
  const map = new Map<string, T>();
  for (const item of items) {
    if (map.has(key(item))) throw new DocumentError(`${what} ${key(item)} appears twice`);
    map.set(key(item), item);
  }
  return map;
}
