/** An installation of coding agents on one machine, as it last described itself. */
export interface Agent {
  id: string;
  name: string;
  hostname: string | null;
  platform: string | null;
  version: string | null;
  /** Account that approved it. */
  owner: string | null;
  hooks: Hook[];
  /** Policy version it last said it has; null before its first heartbeat. */
  policy_version: number | null;
  mcp_servers: DeclaredServer[];
  created_ms: number;
  last_seen_ms: number | null;
}

/** A hook the installation says it has put into a coding agent. */
export interface Hook {
  client: string;
  installed: boolean;
  version?: string;
  fingerprint?: string;
  trusted?: boolean;
}

/** An MCP server the installation is configured with: what it *declares*, as opposed to what is observed in calls. */
export interface DeclaredServer {
  name: string;
  transport?: string;
  command?: string;
  url?: string;
  tools?: DeclaredTool[];
}

export interface DeclaredTool {
  name: string;
  title?: string;
  description?: string;
  input_schema?: unknown;
  annotations?: Record<string, unknown>;
}

export const statuses = ["active", "stale", "never_seen"] as const;
export type Status = (typeof statuses)[number];

/** Three missed heartbeats make an agent stale. */
export const staleAfterMs = (heartbeat_s: number): number => heartbeat_s * 3 * 1000;

export function statusOf(last_seen_ms: number | null, now_ms: number, heartbeat_s: number): Status {
  if (last_seen_ms === null) return "never_seen";
  return now_ms - last_seen_ms > staleAfterMs(heartbeat_s) ? "stale" : "active";
}

/** What a heartbeat may say about the installation; members left out stay as they were. */
export type Description = Partial<
  Pick<Agent, "hostname" | "platform" | "version" | "hooks" | "policy_version" | "mcp_servers">
>;

/** The members of a description that differ from what is known: only those are logged. */
export function changesOf(known: Agent, said: Description): Description {
  const differs = ([name, value]: [string, unknown]) =>
    value !== undefined && JSON.stringify(value) !== JSON.stringify(known[name as keyof Description]);
  return Object.fromEntries(Object.entries(said).filter(differs));
}
