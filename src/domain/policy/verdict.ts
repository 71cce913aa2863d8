/** What is asked of the guard and what it answers: calls, where they happen, matches, verdicts. */
import type { Dialect } from "./facts.ts";

/** The four answers, weakest first. ALLOW means "known", not "stronger" (see docs/policy-language.md). */
export const decisions = ["ALLOW", "WARN", "ASK", "BLOCK"] as const;
export type Decision = (typeof decisions)[number];
export type Mode = "enforce" | "audit-only";
export const severities = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof severities)[number];

/** Where a call happens. Everything is optional; what is missing never earns trust. */
export interface World {
  cwd?: string;
  home?: string;
  env?: Record<string, string>;
  repo?: string;
  branch?: string;
  /** Its id; a scope may also speak of its name. */
  agent?: string;
  agent_name?: string;
  client?: string;
}

export interface ShellCall extends World {
  type: "shell";
  command: string;
  dialect?: Dialect;
}

export interface McpCall extends World {
  type: "mcp";
  tool: string;
  server?: string;
  args: Record<string, unknown>;
  /** Declared annotations (MCP `destructiveHint`, `openWorldHint`): may tighten a verdict, never loosen it. */
  hints?: { destructive?: boolean; open_world?: boolean };
}

/** What an agent is about to do. */
export type Call = ShellCall | McpCall;

/** One rule that matched, with what an agent or a person needs to understand it. */
export interface Match {
  rule: string;
  pack: string;
  severity: Severity;
  decision: Decision;
  /** One sentence for people, placeholders filled in. */
  reason: string;
  instead?: string;
  /** Offsets into the command as it was sent: [start, end). Absent for MCP calls. */
  span?: [number, number];
  /** The chain of unwrapping, outermost first: `["sudo", "bash -c"]`. */
  via: string[];
  /** The call it speaks of, in short: `git push`, `server/tool`. */
  call?: string;
  /** The words, paths and hosts it rests on, as people may read them. */
  rests_on?: string[];
  /** Set where the organisation's policy weakened or removed this match: a JSON pointer into the policy. */
  by?: string;
}

export interface Verdict {
  decision: Decision;
  rules: string[];
  reasons: string[];
  matched: Match[];
  /** What would have matched but for an exception, an `allow` or an override: for the audit log, never for the agent. */
  excused?: Match[];
  mode: Mode;
  /** True when the mode is `enforce`; in `audit-only` the true decision stays visible. */
  enforced: boolean;
}
