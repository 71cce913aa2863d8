import type { Agent, Status } from "../domain/fleet/agent.ts";

/** The organisation's installations. Descriptions are projected from the log; liveness is not, and not rebuilt. */
export interface Agents {
  get(id: string): Agent | undefined;
  name(id: string): string | undefined;
  page(query: AgentQuery): Agent[];
  /** Notes a sign of life. */
  touch(id: string, now_ms: number, queue_depth: number | null): void;
  counts(query: CountQuery): AgentCounts;
  kinds(): AgentKinds;
  /** Names of the MCP servers that any of them declares. */
  declaredServers(): string[];
  declared(): DeclaredCounts;
}

export interface AgentQuery {
  /** Stale are those last seen before this moment. */
  stale_before_ms: number;
  status?: Status;
  /** Only those whose policy is older than this version, or unknown. */
  policy_below?: number;
  /** Part of the name, hostname or owner. */
  q?: string;
  /** Last of the page before. */
  after?: string;
  limit: number;
}

export interface CountQuery {
  stale_before_ms: number;
  silent_before_ms: number;
  /** The newest there is. */
  policy_version: number;
}

export interface AgentCounts {
  total: number;
  active: number;
  stale: number;
  never_seen: number;
  /** Stale or silent, where one that was never seen counts from when it was enrolled. */
  unheard: number;
  silent: number;
  /** Agents that do not have the newest policy. */
  policy_lag: number;
  /** Agents with a hook that is installed and trusted. */
  hooked: number;
}

/** Of the MCP servers that agents declare. */
export interface DeclaredCounts {
  names: number;
  /** Names that differ in more than spelling. */
  keys: number;
  /** Texts of tools that speak to the model behind people's backs. */
  suspicious: number;
}

/** Agents by what they are, the most frequent first. */
export interface AgentKinds {
  by_platform: Record<string, number>;
  by_client: Record<string, number>;
}
