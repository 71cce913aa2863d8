import type { Plan, Usage } from "../domain/org/plans.ts";
import { hasRoom } from "../domain/org/plans.ts";
import { refusal } from "../errors.ts";
import type { Parts } from "./parts.ts";

type Needs = Pick<Parts, "directory" | "plans">;

export function planOf({ directory, plans }: Needs, org: string): Plan {
  const plan = plans.get(directory.organisations.get(org).plan);
  if (!plan) throw new Error(`organisation ${org} is on a plan that the catalogue does not have`);
  return plan;
}

export const usageOf = ({ directory }: Needs, org: string): Usage => ({
  seats: directory.members.seats(org),
  agents: directory.agents.count(org),
});

/** Throws `plan_limit` when `more` are more than the plan allows. */
export function roomFor(parts: Needs, org: string, what: keyof Usage, more = 1): void {
  const plan = planOf(parts, org);
  if (hasRoom(plan, what, usageOf(parts, org)[what] + more - 1)) return;
  throw refusal("plan_limit", `The plan ${plan.name} allows ${plan[what]} ${what}.`);
}
