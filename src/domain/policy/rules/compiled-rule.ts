/** One rule of a rulebook, with everything worked out that does not depend on the call. */
import { type Description, describe } from "./description.ts";
import type { Testers } from "./testers.ts";
import { many } from "./keys.ts";
import { ask, block, gravityOf, levelOf, nothing, warn } from "./level.ts";
import type { Rule } from "./schema.ts";
import { type ScopeTest, scopeTest } from "./scope.ts";
import { Sentence } from "./sentence.ts";

/** What rules of an organisation's own policy name as their pack. */
export const policyPack = "policy";

export class CompiledRule {
  readonly rule: Rule;
  readonly pack: string;
  /** Index in the policy's `rules`; undefined for rules of packs. */
  readonly own: number | undefined;
  /** Still proves itself: warns at most. */
  readonly nursery: boolean;
  readonly locked: boolean;
  /** Its decision is ALLOW. */
  readonly loosens: boolean;
  readonly scope: ScopeTest;
  readonly gravity: number;
  /** Level of a match beyond doubt, and of one that rests on a word nobody knows. */
  readonly sure: number;
  readonly unsure: number;
  readonly #testers: { restricting: Testers; loosening: Testers };
  #unless: readonly Description[] | undefined;
  #what: Sentence | undefined;

  constructor(rule: Rule, pack: string, testers: { restricting: Testers; loosening: Testers }, own?: number) {
    this.rule = rule;
    this.pack = pack;
    this.own = own;
    this.locked = rule.locked === true;
    this.loosens = rule.decision === "ALLOW";
    this.scope = scopeTest(rule.scope, testers.restricting);
    this.gravity = gravityOf(rule.severity);
    // A rule of one's own says what it means; only shipped rules need time to prove themselves.
    this.nursery = rule.status === "nursery" || (own === undefined && rule.status === undefined);
    const most = this.nursery ? warn : block;
    this.sure = Math.min(levelOf(rule.decision), most);
    this.unsure = Math.min(unsureLevel(rule), most);
    this.#testers = testers;
  }

  get unless(): readonly Description[] {
    this.#unless ??= many(this.rule.unless).map(match => describe(match, this.#testers.loosening));
    return this.#unless;
  }

  get what(): Sentence {
    this.#what ??= new Sentence(this.rule.what);
    return this.#what;
  }
}

/** One step weaker for high and critical rules; others stay silent. */
function unsureLevel({ decision, unsure, severity }: Rule): number {
  if (unsure === "IGNORE") return nothing;
  const level = levelOf(decision);
  if (unsure !== undefined) return Math.min(levelOf(unsure), level);
  if (severity !== "high" && severity !== "critical") return nothing;
  return level === block ? ask : level === ask ? warn : nothing;
}
