/** A policy text → whether it may be activated, what is wrong, and what its author should look at again. */
import { blockedAdvice, runCases } from "./cases.ts";
import { lintPolicy } from "./lint.ts";
import { type Problem, parsePolicy } from "./parse.ts";
import type { Pack, Policy } from "./schema.ts";

export interface Validation {
  /** True where the policy may be activated: hints do not stand in the way. */
  ok: boolean;
  problems: Problem[];
  lints: Problem[];
  policy?: Policy;
}

interface ValidationWorld {
  today?: string;
  entitled?: boolean;
  programs?: ReadonlySet<string>;
}

export function validatePolicy(text: string, packs: readonly Pack[], world: ValidationWorld = {}): Validation {
  const parsed = parsePolicy(text);
  if (!parsed.ok) return { ok: false, problems: parsed.problems, lints: [] };
  const policy = parsed.value;
  const sources = { packs, policy, ...world };
  const found = [
    ...lintPolicy(policy, { packs, ...world }),
    ...caseLints(policy, sources),
    ...adviceLints(policy, sources),
  ];
  const lints = found.map(fault => ({ ...fault, ...parsed.locate(fault.path) }));
  return { ok: true, problems: [], lints, policy };
}

type Sources = Parameters<typeof runCases>[0];

/** Cases of the policy itself; those of packs are tested before a pack is shipped. */
function caseLints(policy: Policy, sources: Sources): { path: string; message: string }[] {
  const own = (policy.rules ?? []).map(rule => rule.id);
  const asked = { ...sources, packs: sources.packs.map(pack => ({ ...pack, rules: pack.rules.map(withoutCases) })) };
  return runCases(asked).flatMap(result => {
    if (result.ok) return [];
    const list = result.expected.toLowerCase();
    const at = result.rule === undefined ? "" : `/rules/${own.indexOf(result.rule)}`;
    const why = result.rules.length > 0 ? ` (${result.rules.join(", ")})` : "";
    return [
      { path: `${at}/cases/${list}/${result.index}`, message: `expected ${result.expected}, got ${result.got}${why}` },
    ];
  });
}

const withoutCases = (rule: Pack["rules"][number]) => ({ ...rule, cases: {} });

function adviceLints(policy: Policy, sources: Sources): { path: string; message: string }[] {
  const rules = policy.rules ?? [];
  return blockedAdvice(rules, sources).map(({ rule, command, verdict }) => ({
    path: `/rules/${rules.findIndex(({ id }) => id === rule)}/instead`,
    message: `recommends \`${command}\`, which ${verdict.rules[0]} blocks`,
  }));
}
