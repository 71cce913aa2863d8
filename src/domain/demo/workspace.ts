import type { Member } from "../org/members.ts";

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
