/** Steps 2 to 6 of what wins: which hits stand, at which level, and which are pardoned. */
import type { Call } from "../verdict.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import { type Certainty, yes } from "./certainty.ts";
import type { Description } from "./description.ts";
import { excuses } from "./excuse.ts";
import { block, gravityOf, levelOf, nothing } from "./level.ts";
import type { Asked } from "./asked.ts";
import type { Taker } from "./match.ts";
import type { CompiledOverride, Rulebook } from "./rulebook.ts";
import { keepStrictest, type Standing } from "./standing.ts";

export class Sieve implements Taker {
  readonly standing: Standing[] = [];
  readonly pardoned: Standing[] = [];
  /** Calls some rule speaks of; kept only where the policy has a word for all others. */
  readonly known: Set<number> | undefined;
  readonly #asked: Asked;
  readonly #book: Rulebook;

  constructor(asked: Asked, book: Rulebook) {
    this.#asked = asked;
    this.#book = book;
    this.known = book.terms.no_match === "ALLOW" ? undefined : new Set();
  }

  take(description: Description, subject: number, fact: number, certainty: Certainty, below: boolean): number {
    const compiled = this.#book.rules[description.rule]!;
    const level = certainty === yes ? compiled.sure : compiled.unsure;
    if (level === nothing || !this.#concerns(compiled, description, subject, fact, certainty)) return nothing;
    this.known?.add(subject);
    if (compiled.loosens) return level;
    const { gravity } = compiled;
    const one: Standing = {
      compiled,
      description,
      subject,
      fact,
      below,
      level,
      gravity,
      by: undefined,
      off: false,
    };
    if (this.#book.plain || compiled.locked) keepStrictest(this.standing, one);
    else if (!this.#stands(one)) return nothing;
    return one.level;
  }

  /** In scope, beyond doubt where it loosens, not exempted. */
  #concerns(
    compiled: CompiledRule,
    description: Description,
    subject: number,
    fact: number,
    certainty: Certainty,
  ): boolean {
    const { loosens, unless } = compiled;
    if (!compiled.scope(this.#asked.call, loosens)) return false;
    if (loosens && !(certainty === yes && excuses(description, this.#asked, subject, fact))) return false;
    for (let at = 0; at < unless.length; at++) {
      if (excuses(unless[at]!, this.#asked, subject, fact)) return false;
    }
    return true;
  }

  /** After overrides, exceptions and allow-lists. */
  #stands(one: Standing): boolean {
    override(one, this.#book.terms.overrides, this.#asked.call);
    const by = one.off ? undefined : pardonFor(one, this.#book, this.#asked);
    if (by !== undefined) one.by = by;
    const stands = by === undefined && !one.off;
    keepStrictest(stands ? this.standing : this.pardoned, one);
    return stands;
  }
}

/** Among the overrides that hold, the strictest counts: which line comes first is of no account. */
function override(standing: Standing, overrides: readonly CompiledOverride[], call: Call): void {
  const { level, gravity } = standing;
  let strongest: number | undefined;
  let gravest: number | undefined;
  for (const one of overrides) {
    if (!one.rules(standing.compiled.rule.id)) continue;
    if (one.decision !== undefined) {
      const to = one.decision === "OFF" ? nothing : levelOf(one.decision);
      if (applies(one, to < level, call) && to > (strongest ?? nothing - 1)) {
        strongest = to;
        standing.by = one.at;
      }
    }
    if (one.severity !== undefined) {
      const to = gravityOf(one.severity);
      if (applies(one, to < gravity, call) && to > (gravest ?? -1)) gravest = to;
    }
  }
  if (gravest !== undefined) standing.gravity = gravest;
  if (strongest === nothing) standing.off = true;
  else if (strongest !== undefined) standing.level = strongest;
}

const applies = (override: CompiledOverride, lowers: boolean, call: Call): boolean =>
  (!lowers || override.mayLower) && override.scope(call, lowers);

/** The exception or the `allow` that covers this hit wholly. */
function pardonFor(standing: Standing, book: Rulebook, asked: Asked): string | undefined {
  const { compiled, description, subject, fact } = standing;
  for (const exception of book.terms.exceptions) {
    if (!exception.rules(compiled.rule.id) || !exception.scope(asked.call, true)) continue;
    if (exception.when.some(made => excuses(made, asked, subject, fact))) return exception.at;
  }
  if (standing.level === block || compiled.own !== undefined || description.kind === "flow") return undefined;
  for (const [at, entry] of book.terms.allow.entries()) {
    if (!entry.scope(asked.call, true)) continue;
    if (entry.when.some(made => excuses(made, asked, subject, fact))) return `/allow/${at}`;
  }
  return undefined;
}
