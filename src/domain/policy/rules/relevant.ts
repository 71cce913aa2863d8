/** For a process that judges one call and ends: compile only what the call can meet. */
import type { Findings } from "../facts.ts";
import { indexNames, type RulebookSources } from "./compile.ts";
import { factKeys, many, subjectKeys } from "./keys.ts";
import type { Pack, Rule } from "./schema.ts";
import { setsOf } from "./sets.ts";

/** Under which names a rule is looked up, worked out beforehand: it is most of what `relevant` costs. */
export type RuleNames = ReadonlyMap<Rule, readonly string[]>;

/** The names of every rule, in order of packs and rules. They hold as long as no other sets come in. */
export function ruleNames(packs: readonly Pack[]): string[][][] {
  const sets = setsOf([...packs], undefined);
  return packs.map(pack => pack.rules.map(rule => [...new Set(namesOf(rule, sets))]));
}

const namesOf = (rule: Rule, sets: Map<string, string[]>): string[] =>
  many(rule.when).flatMap(match => indexNames(match, sets));

/** The sources without the rules of packs that none of the findings can be looked up for; every verdict on them stays the same. */
export function relevant(sources: RulebookSources, findings: Findings, known?: RuleNames): RulebookSources {
  const { packs, policy } = sources;
  const asked = new Set([...findings.subjects.flatMap(subjectKeys), ...findings.facts.flatMap(factKeys)]);
  // A policy that adds to a set changes what rules of packs are about.
  const names = policy?.sets === undefined ? known : undefined;
  const all = packs.every(pack => pack.rules.every(rule => names?.has(rule)));
  const sets = all ? undefined : setsOf([...packs], policy);
  const meets = (rule: Rule) => (sets ? namesOf(rule, sets) : names!.get(rule)!).some(name => asked.has(name));
  return { ...sources, packs: packs.map(pack => ({ ...pack, rules: pack.rules.filter(meets) })) };
}
