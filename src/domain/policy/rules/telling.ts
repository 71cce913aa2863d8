/**
 * Which of all that matched is told. A command meets many rules for one reason (`rm -rf /` deletes every protected
 * file there is); the few that say most are what an agent can act on. The decision is never touched by this.
 */
import { warn } from "./level.ts";
import { inOrder, moreTelling, type Standing } from "./standing.ts";

/** Matches told of one invocation, and of a whole call. What the policy itself says always comes on top. */
const perSubjectMax = 3;
const perCallMax = 8;

export function worthTelling(all: Standing[]): Standing[] {
  if (all.length < 2) return all;
  const told: Standing[] = [];
  for (const one of inOrder(all, mostTellingFirst)) {
    if (ofThePolicy(one) || (told.length < perCallMax && adds(one, told))) told.push(one);
  }
  return told;
}

const ofThePolicy = ({ compiled, by }: Standing): boolean => compiled.own !== undefined || by !== undefined;

/** Strictest; then what means the path itself before what lies below it. */
const mostTellingFirst = (a: Standing, b: Standing): number =>
  b.level - a.level || Number(a.below) - Number(b.below) || moreTelling(a, b);

/** Whether `one` says something that what is told already does not. */
function adds(one: Standing, told: readonly Standing[]): boolean {
  let same = 0;
  for (const other of told) {
    if (other.subject !== one.subject) continue;
    if (other.level > one.level && (one.level === warn || one.fact === other.fact)) return false;
    if (one.below && !other.below && other.fact === one.fact) return false;
    same++;
  }
  return same < perSubjectMax;
}
