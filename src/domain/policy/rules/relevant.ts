/** For a process that judges one call and ends: compile only what the call can meet. */
import type { Findings } from "../facts.ts";
import { indexNames, type RulebookSources } from "./compile.ts";
import { many } from "./keys.ts";
import { factKeys, subjectKeys } from "./match.ts";
import type { Rule } from "./schema.ts";
import { setsOf } from "./sets.ts";

/** The sources without the rules of packs that none of the findings can be looked up for; every verdict on them stays the same. */
export function relevant(sources: RulebookSources, findings: Findings): RulebookSources {
  const { packs, policy } = sources;
  const asked = new Set([...findings.subjects.flatMap(subjectKeys), ...findings.facts.flatMap(factKeys)]);
  const sets = setsOf([...packs], policy);
  const meets = (rule: Rule) => many(rule.when).some(match => indexNames(match, sets).some(name => asked.has(name)));
  return { ...sources, packs: packs.map(pack => ({ ...pack, rules: pack.rules.filter(meets) })) };
}
