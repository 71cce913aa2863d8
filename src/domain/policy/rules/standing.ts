/** A rule that stands against a fact of a call, at the level it has come to. */
import type { CompiledRule } from "./compiled-rule.ts";
import type { Description } from "./description.ts";

/** In place of a fact where the call itself is meant. To read an array at -1 takes as long as ten reads of it. */
export const noFact = -1;

export interface Standing {
  compiled: CompiledRule;
  description: Description;
  subject: number;
  fact: number;
  /** Not the path of the fact is meant, but something below it. */
  below: boolean;
  level: number;
  gravity: number;
  /** The policy's entry that weakened or removed it. */
  by: string | undefined;
  /** Switched off by an override. */
  off: boolean;
}

/** One match a rule is told; which of equals comes first in the command is of no account. */
export function keepStrictest(all: Standing[], one: Standing): void {
  for (let at = 0; at < all.length; at++) {
    if (all[at]!.compiled !== one.compiled) continue;
    if (one.level > all[at]!.level) all[at] = one;
    return;
  }
  all.push(one);
}

/** Strictest, then gravest, then what asks for most, then by id. */
export function weightiestFirst(a: Standing, b: Standing): number {
  return b.level - a.level || moreTelling(a, b);
}

/** Of two at one level. */
export function moreTelling(a: Standing, b: Standing): number {
  return (
    b.gravity - a.gravity ||
    b.description.specificity - a.description.specificity ||
    (a.compiled.rule.id < b.compiled.rule.id ? -1 : 1)
  );
}

/** Sorts a few that mostly are in order already, in place. */
export function inOrder<T>(list: T[], before: (a: T, b: T) => number): T[] {
  for (let from = 1; from < list.length; from++) {
    const one = list[from]!;
    let to = from;
    for (; to > 0 && before(list[to - 1]!, one) > 0; to--) list[to] = list[to - 1]!;
    list[to] = one;
  }
  return list;
}
