export const entitlements = ["api", "packs"] as const;
export type Entitlement = (typeof entitlements)[number];

/** What an organisation may have; null = no limit. */
export interface Plan {
  id: string;
  name: string;
  seats: number | null;
  agents: number | null;
  retention_days: number | null;
  entitlements: Entitlement[];
}

export interface Usage {
  seats: number;
  agents: number;
}

/** A catalogue that breaks its own rules; the message says where. */
export class PlanError extends Error {
  override readonly name = "PlanError";
}

/** Reads the catalogue (`seeds/plans.yaml`), with the parser given. Throws `PlanError`. */
export function parsePlans(yaml: string, read: (yaml: string) => unknown): Plan[] {
  const list = read(yaml);
  if (!Array.isArray(list) || list.length === 0) throw new PlanError("the catalogue must be a list of plans");
  const plans = list.map(plan);
  if (new Set(plans.map(one => one.id)).size !== plans.length) throw new PlanError("two plans have the same id");
  return plans;
}

function plan(entry: unknown, index: number): Plan {
  const raw = (entry ?? {}) as Record<string, unknown>;
  const fail = (member: string, what: string) => new PlanError(`plan ${index + 1}: ${member} ${what}`);
  const { id, name, entitlements: opens } = raw;
  if (typeof id !== "string" || !/^[a-z][a-z0-9-]{0,63}$/.test(id)) throw fail("id", "must be a lower-case name");
  if (typeof name !== "string" || name === "") throw fail("name", "must be text");
  if (!Array.isArray(opens) || !opens.every(isEntitlement)) throw fail("entitlements", "must be a list of known ones");
  if (!opens.includes("api")) throw fail("entitlements", "must hold api");
  const limit = (member: "seats" | "agents" | "retention_days") => {
    const value = raw[member];
    if (value === null) return null;
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1)
      throw fail(member, "must be null or at least 1");
    return value;
  };
  return {
    id,
    name,
    seats: limit("seats"),
    agents: limit("agents"),
    retention_days: limit("retention_days"),
    entitlements: opens,
  };
}

const isEntitlement = (text: unknown): text is Entitlement => entitlements.includes(text as Entitlement);

/** Whether one more would still fit. */
export function hasRoom(plan: Plan, what: keyof Usage, used: number): boolean {
  const limit = plan[what];
  return limit === null || used < limit;
}
