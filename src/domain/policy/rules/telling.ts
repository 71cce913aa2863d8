/**
 * Which of all that matched is told. A command meets many rules for one reason (`rm -rf /` deletes every protected
 * file there is); the few that say most are what an agent can act on. The decision is never touched by this.
 */
import { type Standing, rank, severities } from "./precedence.ts";

/** Matches told of one invocation, and of a whole call. What the policy itself says always comes on top. */
const perSubjectMax = 3;
const perCallMax = 8;

export function worthTelling(all: Standing[]): Standing[] {
  if (all.length < 2) return all;
  const told: Standing[] = [];
  for (const one of all.sort(mostTellingFirst)) {
    if (ofThePolicy(one) || (told.length < perCallMax && adds(one, told))) told.push(one);
  }
  return told;
}

const ofThePolicy = ({ compiled, by }: Standing): boolean => compiled.own !== undefined || by !== undefined;

/** Strictest; then what means the path itself before what lies below it; then gravest. */
function mostTellingFirst(a: Standing, b: Standing): number {
  const { hit: one, compiled: first } = a;
  const { hit: other, compiled: second } = b;
  return (
    rank(b.decision) - rank(a.decision) ||
    Number(one.below) - Number(other.below) ||
    severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
    (first.rule.id < second.rule.id ? -1 : 1)
  );
}

/** Whether `one` says something that what is told already does not. */
function adds(one: Standing, told: readonly Standing[]): boolean {
  let same = 0;
  for (const other of told) {
    if (other.hit.subject !== one.hit.subject) continue;
    if (rank(other.decision) > rank(one.decision) && (one.decision === "WARN" || one.hit.fact === other.hit.fact))
      return false;
    if (one.hit.below && !other.hit.below && other.hit.fact === one.hit.fact) return false;
    same++;
  }
  return same < perSubjectMax;
}
