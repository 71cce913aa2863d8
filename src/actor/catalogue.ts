import { listAssets, readAsset } from "../assets.ts";
import { buildCatalogue, type Catalogue } from "../domain/compliance/catalogue.ts";
import type { Framework } from "../domain/compliance/framework.ts";
import type { ComplianceRule } from "../domain/compliance/rule.ts";
import { readYaml } from "../seeds.ts";

/**
 * The frameworks and rules shipped with the product, each file read when it is first asked for and kept in its thread.
 * The tests hold every file to its schema; here it is only read.
 */
const FRAMEWORKS = "seeds/frameworks";
const RULES = "seeds/compliance";
const EXTENSION = ".yaml";

const names = (folder: string): string[] =>
  listAssets(folder).flatMap(file => (file.endsWith(EXTENSION) ? [file.slice(0, -EXTENSION.length)] : []));
const read = (folder: string, name: string): unknown => readYaml(readAsset(`${folder}/${name}${EXTENSION}`));

const frameworks = new Map<string, Framework>();
const rules = new Map<string, ComplianceRule[]>();
let catalogue: Catalogue | undefined;

export const frameworkIds = (): string[] => names(FRAMEWORKS);

export function shippedFramework(id: string): Framework | undefined {
  const known = frameworks.get(id);
  if (known || !frameworkIds().includes(id)) return known;
  const framework = read(FRAMEWORKS, id) as Framework;
  frameworks.set(id, framework);
  return framework;
}

export function shippedRules(): ComplianceRule[] {
  return names(RULES).flatMap(rulesOf);
}

function rulesOf(area: string): ComplianceRule[] {
  const known = rules.get(area) ?? (read(RULES, area) as { rules: ComplianceRule[] }).rules;
  rules.set(area, known);
  return known;
}

/** All of it, joined; a file a slice. Throws when a seed is not valid. */
export function* shippedCatalogue(): Generator<undefined, Catalogue> {
  if (catalogue) return catalogue;
  const all: Framework[] = [];
  for (const id of frameworkIds()) {
    all.push(shippedFramework(id)!);
    yield undefined;
  }
  for (const area of names(RULES)) {
    rulesOf(area);
    yield undefined;
  }
  return (catalogue = buildCatalogue(all, shippedRules()));
}
