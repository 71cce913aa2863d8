import type { ObservedCalls } from "../domain/posture/drift.ts";

/** Counters kept beside the log: they answer statistics without reading it. */
export interface AuditStats {
  stats(query: StatsQuery): Stats;
  /** MCP servers and tools seen in calls. */
  mcpServers(): ObservedServer[];
  /** An agent's calls of MCP tools, by server and tool. */
  mcpCalls(agent_id: string): ObservedCalls[];
}

export interface StatsQuery {
  from_ms?: number;
  to_ms?: number;
  bucket?: "hour" | "day";
  /** `false` leaves `by_agent` empty: it costs the more, the more agents there are. */
  by_agent?: boolean;
}

export interface Stats {
  total: number;
  by_type: Record<string, number>;
  by_decision: Record<string, number>;
  by_agent: { agent_id: string; count: number }[];
  by_rule: { rule: string; count: number }[];
  by_client: Record<string, number>;
  /** `t`: start of the bucket, Unix ms; buckets without entries are left out. */
  series: ({ t: number; total: number } & Record<"ALLOW" | "WARN" | "ASK" | "BLOCK", number>)[];
}

export interface ObservedServer {
  name: string;
  agents: number;
  calls: number;
  first_seen_ms: number;
  last_seen_ms: number;
  tools: { name: string; calls: number; first_seen_ms: number; last_seen_ms: number }[];
}
