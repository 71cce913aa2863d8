import type { People } from "../domain/compliance/evidence.ts";
import type { Parts } from "./parts.ts";

const MEMBERS_MAX = 100_000;

/** What coverage needs to know of an organisation's people and plan; only the directory can tell. */
export function peopleOf({ directory, plans }: Pick<Parts, "directory" | "plans">, org: string): People {
  const members = directory.members.list(org, MEMBERS_MAX).filter(member => member.status === "active");
  return {
    members: members.length,
    admins: members.filter(member => member.role === "admin").length,
    retention_days: plans.get(directory.organisations.get(org).plan)?.retention_days ?? null,
  };
}
