import type { Role } from "../identity/roles.ts";

export const INVITATION_DAYS = 7;

/** Somebody of an organisation, or somebody asked to join it. */
export interface Member {
  /** `usr_…`, or `inv_…` while invited. */
  id: string;
  email: string;
  name: string;
  role: Role;
  status: "active" | "invited";
  /** Unix ms. */
  created_at: number;
}

export interface Membership {
  account: string;
  role: Role;
}

/**
 * Whether an organisation would keep an admin who can act when `account` took `role` (undefined: left).
 * Invitations do not count: nobody is behind them yet.
 */
export function keepsAdmin(members: readonly Membership[], account: string, role: Role | undefined): boolean {
  return role === "admin" || members.some(one => one.role === "admin" && one.account !== account);
}
