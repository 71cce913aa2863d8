/** Packs and a policy, made ready once per policy version. */
import { CompiledRule, policyPack } from "./compiled-rule.ts";
import { describe } from "./description.ts";
import type { Testers } from "./testers.ts";
import { many } from "./keys.ts";
import { idTest } from "./rule-id.ts";
import { type CompiledEntry, Rulebook } from "./rulebook.ts";
import type { Match, Pack, Policy, Scope } from "./schema.ts";
import { scopeTest } from "./scope.ts";
import { setsOf } from "./sets.ts";

export { policyPack } from "./compiled-rule.ts";
export { indexNames, Rulebook } from "./rulebook.ts";

export interface RulebookSources {
  packs: readonly Pack[];
  policy?: Policy;
  /** Today in UTC, YYYY-MM-DD. Without it nothing dated holds: what is not known earns no trust. */
  today?: string;
  /** The plan includes packs marked `plan: entitled`. */
  entitled?: boolean;
}

export function compileRulebook({ packs, policy, today, entitled = false }: RulebookSources): Rulebook {
  const available = packs.filter(pack => pack.plan !== "entitled" || entitled);
  // Sets of every pack, also of one that is off: its locked rules still speak of them.
  const book = new Rulebook(setsOf(available, policy));
  for (const pack of available) {
    const on = isOn(pack, policy);
    for (const rule of pack.rules) if (on || rule.locked) book.add(new CompiledRule(rule, pack.pack, book));
  }
  for (const [own, rule] of (policy?.rules ?? []).entries()) book.add(new CompiledRule(rule, policyPack, book, own));
  book.terms = termsOf(policy ?? { policy: 1 }, today, book.loosening);
  book.asksWho = asksWho(book, policy);
  return book;
}

/** Whether some scope speaks of agents, so that it matters who calls. */
function asksWho({ rules }: Rulebook, policy: Policy | undefined): boolean {
  const { allow = [], exceptions = [], overrides = [] } = policy ?? {};
  return [...rules.map(({ rule }) => rule), ...allow, ...exceptions, ...overrides].some(
    ({ scope }) => scope?.agent !== undefined,
  );
}

function termsOf(policy: Policy, today: string | undefined, testers: Testers): Rulebook["terms"] {
  const current = ({ until }: { until?: string }) => until === undefined || (today !== undefined && today <= until);
  const exceptions = (policy.exceptions ?? []).map((source, at) => ({ source, at: `/exceptions/${at}` }));
  const overrides = (policy.overrides ?? []).map((source, at) => ({ source, at: `/overrides/${at}` }));
  const days = [...exceptions, ...overrides]
    .filter(({ source }) => current(source))
    .flatMap(({ source }) => source.until ?? []);
  return {
    allow: (policy.allow ?? []).map(source => entry(source, testers)),
    exceptions: exceptions
      .filter(({ source }) => current(source))
      .map(({ source, at }) => ({ ...entry(source, testers), rules: idTest(source.rules), at })),
    overrides: overrides
      .filter(({ source }) => current(source))
      .map(({ source, at }) => ({
        rules: idTest(source.rules),
        decision: source.decision,
        severity: source.severity,
        scope: scopeTest(source.scope, testers),
        mayLower: source.reason !== undefined && source.until !== undefined,
        at,
      })),
    no_match: policy.no_match ?? "ALLOW",
    not_understood: policy.not_understood ?? "ASK",
    expires_on: days.sort()[0],
  };
}

function entry(source: { when: Match | Match[]; scope?: Scope; reason: string }, testers: Testers): CompiledEntry {
  return {
    when: many(source.when).map(match => describe(match, testers)),
    scope: scopeTest(source.scope, testers),
    reason: source.reason,
  };
}

function isOn(pack: Pack, policy: Policy | undefined): boolean {
  if (policy?.packs?.off?.includes(pack.pack)) return false;
  return policy?.packs?.on?.includes(pack.pack) || pack.default !== "off";
}
