import type { Decision } from "../policy/verdict.ts";

/**
 * One entry of the log as `GET /audit` shows it and exports write it: the event and what the server added. Entries
 * that record a change of the organisation carry `actor` and `attributes` only. Times are RFC 3339.
 */
export interface AuditRecord {
  seq: number;
  received_at: string;
  type: string;
  /** Hex leaf hash. */
  hash: string;
  agent_id?: string | null;
  id?: string;
  time?: string;
  session_id?: string;
  client?: string;
  actor?: unknown;
  action?: {
    kind?: string;
    command?: string;
    server?: string;
    tool?: string;
    args?: unknown;
    cwd?: string;
  };
  decision?: Decision;
  decision_id?: string;
  rules?: readonly string[];
  exit_code?: number;
  duration_ms?: number;
  tool_use_id?: string;
  trace_id?: string;
  attributes?: Readonly<Record<string, unknown>>;
}
