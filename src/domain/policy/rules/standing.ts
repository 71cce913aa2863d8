/** A rule that stands against a fact of a call, at the level it has come to. */
import type { CompiledRule } from "./compiled-rule.ts";
import type { Description } from "./description.ts";

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
