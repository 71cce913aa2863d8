import type { Call, Decision, Verdict } from "../domain/policy/verdict.ts";

/** Every coding agent Gatehouse can stand in front of, by the name used in events, routes and commands. */
export const clients = [
  "claude-code",
  "codex",
  "gemini-cli",
  "copilot-cli",
  "qwen-code",
  "cursor",
  "opencode",
  "cline",
  "windsurf",
  "kiro",
] as const;
export type Client = (typeof clients)[number];

export type ActionKind = "shell" | "mcp" | "file" | "net" | "tool";

export interface Action {
  kind: ActionKind;
  command?: string;
  server?: string;
  tool?: string;
  args?: Record<string, unknown>;
  cwd?: string;
}

/** An audit event as an installation sends it (`POST /events`): without the members the server adds. */
export interface Event {
  /** The client's own, unique per installation: `[A-Za-z0-9._:-]{1,128}`. */
  id: string;
  /** RFC 3339, UTC, milliseconds. */
  time: string;
  type: string;
  client: string;
  session_id?: string;
  action?: Action;
  decision?: Decision;
  decision_id?: string;
  rules?: string[];
  exit_code?: number;
  duration_ms?: number;
  tool_use_id?: string;
  trace_id?: string;
  attributes?: Record<string, unknown>;
}

/** `before` may still be refused; `after` is done; `session` begins or ends; `other` is only reported. */
export type Phase = "before" | "after" | "session" | "other";

export interface Reading {
  phase: Phase;
  /** The agent's own name for the hook, which some answers must repeat. */
  hook: string;
  /** What is about to happen or has happened; several when one hook covers several. The strictest verdict counts. */
  calls: Call[];
  event: Event;
}

/** A payload that is not this agent's, or lacks what a verdict needs. */
export interface Problem {
  problem: string;
}

export interface DeclaredServer {
  name: string;
  command?: string;
  url?: string;
}

/** What a parser may not reach for itself: the clock, randomness, and facts about the installation. */
export interface Ambient {
  now_ms: number;
  /** Unique each time; used where a payload has no identity of its own. */
  random: () => string;
  /** MCP servers the installation declares, to take joined tool names apart. */
  servers?: readonly DeclaredServer[];
  /** The hook's name from the command line, for agents whose payload does not carry it. */
  hook?: string;
}

export interface Answer {
  stdout: string;
  stderr: string;
  exit: 0 | 2;
}

/** One coding agent: what it sends, and how it wants to be answered. Pure. */
export interface Dialect {
  client: Client;
  /** Whether the payload looks like this agent's. */
  matches(payload: unknown): boolean;
  parse(payload: unknown, ambient: Ambient): Reading | Problem;
  /** Without a verdict (nothing to judge, or not asked) the agent goes on as if there were no hook. */
  answer(reading: Reading, verdict?: Verdict): Answer;
  /** Whether the agent can put the question to a person itself. */
  asks: boolean;
}

export const isProblem = (result: Reading | Problem): result is Problem => "problem" in result;
