import type { Role } from "../identity/roles.ts";

/** A member of the demo's company. */
export interface Member {
  id: string;
  email: string;
  name: string;
  role: Role;
  status: "active" | "invited";
  /** Unix ms. */
  created_at: number;
}

/** What a tenant's organisation has in the directory, and a demo workspace in its worker. */
export interface WorkspaceFacts {
  /** The workspace's organisation id. */
  org: string;
  name: string;
  plan: string;
  created_at: number;
  /** The member the visitor acts as. */
  visitor: Member;
  /** The agent that a visitor's checks are logged for. */
  agent: string;
  members: Member[];
  agents: number;
}
