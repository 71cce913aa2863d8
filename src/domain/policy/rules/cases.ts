/** Cases: calls written down with the verdict they must get, and the test of packs and policies by them. */
import { decide } from "../decide.ts";
import type { Call, Decision, Verdict, World } from "../verdict.ts";
import { compileRulebook, policyPack, type RulebookSources } from "./compile.ts";
import { many } from "./keys.ts";
import type { Case, Cases, Pack, Policy, Rule, Sets } from "./schema.ts";
import { mergeSets } from "./sets.ts";

export interface CaseResult {
  /** Undefined for the policy's own cases, which speak of the whole rulebook. */
  rule?: string;
  /** Where the case stands: `block`, `ask`, `warn` or `allow`, and its number in that list. */
  expected: Decision;
  index: number;
  call: Call;
  got: Decision;
  /** The rules that matched. */
  rules: string[];
  ok: boolean;
}

const lists = [
  ["block", "BLOCK"],
  ["ask", "ASK"],
  ["warn", "WARN"],
  ["allow", "ALLOW"],
] as const;

export function caseCall(one: Case): Call {
  if (typeof one === "string") return { type: "shell", command: one };
  const world: World = {};
  for (const key of ["cwd", "home", "repo", "branch", "agent", "client"] as const) {
    if (one[key] !== undefined) world[key] = one[key];
  }
  if ("sh" in one) return { type: "shell", command: one.sh, ...world };
  if ("powershell" in one) return { type: "shell", command: one.powershell, dialect: "powershell", ...world };
  if ("cmd" in one) return { type: "shell", command: one.cmd, dialect: "cmd", ...world };
  const [server = "", tool = ""] = one.mcp.split("/");
  const hints = one.hints === undefined ? {} : { hints: one.hints as { destructive?: boolean; open_world?: boolean } };
  return { type: "mcp", server, tool, args: one.input ?? {}, ...hints, ...world };
}

function caseSets(one: Case): Sets | undefined {
  return typeof one === "string" ? undefined : one.sets;
}

/** Every case of the packs' rules, of the policy's rules and of the policy itself. */
export function runCases(sources: RulebookSources): CaseResult[] {
  const own = sources.policy?.rules ?? [];
  return [
    ...sources.packs.flatMap(pack => pack.rules.flatMap(rule => ruleCases(rule, sources))),
    ...own.flatMap(rule => ruleCases(rule, sources)),
    ...policyCases(sources),
  ];
}

/** A rule's cases ask that rule alone: what else would match is its own rule's affair. */
function ruleCases(rule: Rule, sources: RulebookSources): CaseResult[] {
  const book = soloBook(rule, sources, undefined);
  return eachCase(rule.cases, (one, expected, index) => {
    const sets = caseSets(one);
    const verdict = decide(caseCall(one), sets === undefined ? book : soloBook(rule, sources, sets), "enforce");
    const match = verdict.matched.find(({ rule: id }) => id === rule.id);
    const got: Decision = match?.decision ?? "ALLOW";
    return { rule: rule.id, expected, index, call: caseCall(one), got, rules: verdict.rules, ok: got === expected };
  });
}

function policyCases(sources: RulebookSources): CaseResult[] {
  return eachCase(sources.policy?.cases ?? {}, (one, expected, index) => {
    const verdict = decide(caseCall(one), bookWith(sources, caseSets(one)), "enforce");
    const call = caseCall(one);
    return { expected, index, call, got: verdict.decision, rules: verdict.rules, ok: verdict.decision === expected };
  });
}

function eachCase(cases: Cases, judge: (one: Case, expected: Decision, index: number) => CaseResult): CaseResult[] {
  return lists.flatMap(([list, expected]) => many(cases[list]).map((one, index) => judge(one, expected, index)));
}

/** The rule with the sets of every pack, as if it were stable and its pack on. */
function soloBook(rule: Rule, { packs, policy }: RulebookSources, sets: Sets | undefined) {
  const all = Object.fromEntries(mergeSets(...packs.map(pack => pack.sets), policy?.sets, sets));
  const pack: Pack = {
    pack: policyPack,
    version: "0.0.0",
    title: "",
    sets: all,
    rules: [{ ...rule, status: "stable" }],
  };
  return compileRulebook({ packs: [pack] });
}

function bookWith(sources: RulebookSources, sets: Sets | undefined) {
  if (sets === undefined) return compileRulebook(sources);
  const policy: Policy = { ...(sources.policy ?? { policy: 1 }) };
  policy.sets = Object.fromEntries(mergeSets(policy.sets, sets));
  return compileRulebook({ ...sources, policy });
}

export interface BlockedAdvice {
  rule: string;
  command: string;
  verdict: Verdict;
}

/** Commands in backticks that a rule recommends and the same rulebook would block. */
export function blockedAdvice(rules: readonly Rule[], sources: RulebookSources): BlockedAdvice[] {
  const book = compileRulebook(sources);
  return rules.flatMap(rule =>
    [...rule.instead.matchAll(/`([^`]+)`/g)].flatMap(([, command = ""]) => {
      const verdict = decide({ type: "shell", command }, book, "enforce");
      return verdict.decision === "BLOCK" ? [{ rule: rule.id, command, verdict }] : [];
    }),
  );
}
