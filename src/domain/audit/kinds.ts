/** Kinds of entries that only the server writes: changes of the organisation itself. Agents may send any other type. */
export const stateKinds = [
  "org.created",
  "org.renamed",
  "org.mode_changed",
  "org.plan_changed",
  "member.invited",
  "member.joined",
  "member.role_changed",
  "member.removed",
  "invitation.withdrawn",
  "account.signed_in",
  "account.two_factor_changed",
  "account.password_changed",
  "token.created",
  "token.revoked",
  "enrolment_key.created",
  "enrolment_key.revoked",
  "agent.registered",
  "agent.changed",
  "agent.removed",
  "policy.changed",
  "framework.enabled",
  "framework.disabled",
  "scan.ingested",
  "drift.accepted",
  "log.unaccounted_head",
  "log.bodies_erased",
  "log.restored",
] as const;
export type StateKind = (typeof stateKinds)[number];

const reserved = new Set<string>(stateKinds);
export const isStateKind = (kind: string): boolean => reserved.has(kind);
