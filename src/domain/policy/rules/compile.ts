/** Packs and a policy, made ready once per policy version: an index from facts to the rules that speak of them. */
import { type Description, describe, Testers } from "./description.ts";
import { keysOf, many } from "./keys.ts";
import { PathTree } from "./path.ts";
import type { Match, Pack, Policy, Rule } from "./schema.ts";
import { type ScopeTest, scopeTest } from "./scope.ts";
import { expanded, setsOf } from "./sets.ts";
import type { Decision, Severity } from "../verdict.ts";

/** What rules of an organisation's own policy name as their pack. */
export const policyPack = "policy";

export interface CompiledRule {
  rule: Rule;
  pack: string;
  /** Index in the policy's `rules`; undefined for rules of packs. */
  own?: number;
  nursery: boolean;
  scope: ScopeTest;
  unless: Description[];
}
export interface CompiledEntry {
  when: Description[];
  scope: ScopeTest;
  reason: string;
}
export interface CompiledException extends CompiledEntry {
  rules: (id: string) => boolean;
  /** Where the policy says so, as a JSON pointer. */
  at: string;
}
export interface CompiledOverride {
  rules: (id: string) => boolean;
  decision: Decision | "OFF" | undefined;
  severity: Severity | undefined;
  scope: ScopeTest;
  /** Reason and day are given, so that it may lower. */
  mayLower: boolean;
  at: string;
}

/** Compiled rules. Holds no text of a call and is never changed after it was made. */
export interface Rulebook {
  readonly rules: readonly CompiledRule[];
  readonly index: ReadonlyMap<string, readonly Description[]>;
  readonly suspect: PathTree;
  readonly trusted: PathTree;
  readonly allow: readonly CompiledEntry[];
  readonly exceptions: readonly CompiledException[];
  readonly overrides: readonly CompiledOverride[];
  readonly no_match: "ALLOW" | "WARN" | "ASK";
  readonly not_understood: "ASK" | "BLOCK";
  /** Last day (UTC) on which this rulebook judges as it does now; undefined where nothing in it is dated. */
  readonly expires_on: string | undefined;
}

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
  const suspect = new PathTree(true);
  const trusted = new PathTree(false);
  // Sets of every pack, also of one that is off: its locked rules still speak of them.
  const sets = setsOf(available, policy);
  const restricting = new Testers(sets, suspect);
  const loosening = new Testers(sets, trusted);
  const rules: CompiledRule[] = [];
  const index = new Map<string, Description[]>();

  const add = (rule: Rule, pack: string, own?: number) => {
    const number = rules.length;
    const compiled: CompiledRule = {
      rule,
      pack,
      // A rule of one's own says what it means; only shipped rules need time to prove themselves.
      nursery: rule.status === "nursery" || (own === undefined && rule.status === undefined),
      scope: scopeTest(rule.scope, restricting),
      unless: many(rule.unless).map(match => describe(match, loosening)),
    };
    if (own !== undefined) compiled.own = own;
    rules.push(compiled);
    for (const match of many(rule.when)) enter(index, match, describe(match, restricting, number), sets);
  };
  for (const pack of available) {
    const on = isOn(pack, policy);
    for (const rule of pack.rules) if (on || rule.locked) add(rule, pack.pack);
  }
  for (const [own, rule] of (policy?.rules ?? []).entries()) add(rule, policyPack, own);

  const current = (until: string | undefined) => until === undefined || (today !== undefined && today <= until);
  const entry = (source: {
    when: Match | Match[];
    scope?: NonNullable<Rule["scope"]>;
    reason: string;
  }): CompiledEntry => ({
    when: many(source.when).map(match => describe(match, loosening)),
    scope: scopeTest(source.scope, loosening),
    reason: source.reason,
  });
  const dated = [...(policy?.exceptions ?? []), ...(policy?.overrides ?? [])];
  const days = dated.flatMap(({ until }) => (until !== undefined && current(until) ? [until] : []));
  return {
    rules,
    index,
    suspect,
    trusted,
    allow: (policy?.allow ?? []).map(source => entry(source as Parameters<typeof entry>[0])),
    exceptions: (policy?.exceptions ?? []).flatMap((source, at) =>
      current(source.until)
        ? [{ ...entry(source as Parameters<typeof entry>[0]), rules: idTest(source.rules), at: `/exceptions/${at}` }]
        : [],
    ),
    overrides: (policy?.overrides ?? []).flatMap((source, at) =>
      current(source.until)
        ? [
            {
              rules: idTest(source.rules),
              decision: source.decision,
              severity: source.severity,
              scope: scopeTest(source.scope, loosening),
              mayLower: source.reason !== undefined && source.until !== undefined,
              at: `/overrides/${at}`,
            },
          ]
        : [],
    ),
    no_match: policy?.no_match ?? "ALLOW",
    not_understood: policy?.not_understood ?? "ASK",
    expires_on: days.sort()[0],
  };
}

export function isOn(pack: Pack, policy: Policy | undefined): boolean {
  if (policy?.packs?.off?.includes(pack.pack)) return false;
  return policy?.packs?.on?.includes(pack.pack) || pack.default !== "off";
}

function enter(index: Map<string, Description[]>, match: Match, made: Description, sets: Map<string, string[]>): void {
  for (const name of indexNames(match, sets)) {
    const same = index.get(name);
    if (same === undefined) index.set(name, [made]);
    else if (same.at(-1) !== made) same.push(made);
  }
}

/** The names a description stands under in the index. */
export function indexNames(match: Match, sets: Map<string, string[]>): string[] {
  const full: Match = { ...match };
  if (match.run !== undefined) full.run = expanded(match.run, sets);
  if (match.env !== undefined) full.env = expanded(match.env, sets);
  const fold = many(match.dialect).length > 0 && !many(match.dialect).includes("posix");
  const keys = keysOf(full);
  const names = keys.length > 0 || match.run !== undefined || match.env !== undefined ? keys : ["all"];
  return fold ? names.map(lowered) : names;
}

const lowered = (key: string): string => (key.startsWith("run:") ? key.toLowerCase() : key);

/** `git.force-push-shared`, or `git.*` for all of a pack. */
function idTest(globs: readonly string[]): (id: string) => boolean {
  const exact = new Set(globs.filter(glob => !glob.endsWith(".*")));
  const packs = globs.filter(glob => glob.endsWith(".*")).map(glob => glob.slice(0, -1));
  return id => exact.has(id) || packs.some(pack => id.startsWith(pack));
}
