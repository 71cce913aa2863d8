import type { Verdict, World } from "../domain/policy/verdict.ts";
import type { Ambient, Answer, Client, Phase, Problem, Reading } from "./dialect.ts";
import { reading, timeOf, traceIdOf, type Understood } from "./event.ts";
import { effect, explanation } from "./explanation.ts";
import { type McpName, splitMcpName } from "./mcp-name.ts";
import { argumentsOf, type Fields, fieldsOf, numberOf, present, textOf } from "./payload.ts";
import { type Described, describeMcp, describeTool } from "./tools.ts";

/**
 * The payload Claude Code coined and others took over: `hook_event_name`, `session_id`, `cwd`, and for tools
 * `tool_name`, `tool_input`, `tool_use_id`.
 */
const phases: Record<string, [Phase, type?: string]> = {
  pretooluse: ["before"],
  beforetool: ["before"],
  posttooluse: ["after"],
  posttoolusefailure: ["after"],
  aftertool: ["after"],
  sessionstart: ["session", "session.start"],
  agentspawn: ["session", "session.start"],
  sessionend: ["session", "session.end"],
  userpromptsubmit: ["other", "prompt.submit"],
  beforeagent: ["other", "prompt.submit"],
  stop: ["other", "agent.stop"],
  afteragent: ["other", "agent.stop"],
  subagentstart: ["other", "subagent.start"],
  subagentstop: ["other", "subagent.stop"],
  permissionrequest: ["other", "permission.request"],
  notification: ["other", "agent.notification"],
  precompact: ["other", "context.compact"],
  precompress: ["other", "context.compact"],
};

export interface Form {
  client: Client;
  /** The MCP server and tool behind a tool name, or nothing if it is one of the agent's own tools. */
  mcp(name: string, payload: Fields, ambient: Ambient): McpName | undefined;
  /** Exit status of an executed tool, where the agent tells it. */
  exitCode?(response: unknown): number | undefined;
}

export function readClaudeForm(form: Form, payload: unknown, ambient: Ambient): Reading | Problem {
  const fields = fieldsOf(payload);
  const hook = textOf(fields?.["hook_event_name"]) ?? ambient.hook;
  if (!fields || !hook) return { problem: "hook_event_name is missing" };
  const [phase, type] = phases[hook.toLowerCase()] ?? (["other"] as const);
  const described = phase === "before" || phase === "after" ? describe(form, fields, ambient) : undefined;
  if (described && "problem" in described) return described;
  return reading(
    {
      ...identity(form.client, hook, fields),
      phase,
      ...present({ type }),
      ...described,
      ...outcome(form, hook, fields),
    },
    ambient,
  );
}

function describe(form: Form, fields: Fields, ambient: Ambient): Described | Problem {
  const name = textOf(fields["tool_name"]);
  if (!name) return { problem: "tool_name is missing" };
  const input = argumentsOf(fields["tool_input"]);
  const world: World = { client: form.client, ...present({ cwd: textOf(fields["cwd"]) }) };
  const mcp = form.mcp(name, fields, ambient);
  return mcp ? describeMcp(mcp.server, mcp.tool, input, world) : describeTool(name, input, world);
}

function identity(client: Client, hook: string, fields: Fields): Omit<Understood, "phase"> {
  const prompt = textOf(fields["prompt"]);
  return {
    client,
    hook,
    session_id: textOf(fields["session_id"]),
    tool_use_id: textOf(fields["tool_use_id"]),
    trace_id: traceIdOf(fields["traceparent"]),
    time_ms: timeOf(fields["timestamp"]),
    attributes: {
      hook,
      permission_mode: textOf(fields["permission_mode"]),
      model: textOf(fields["model"]),
      prompt_id: textOf(fields["prompt_id"]),
      turn_id: textOf(fields["turn_id"]),
      subagent_id: textOf(fields["agent_id"]),
      source: textOf(fields["source"]),
      reason: textOf(fields["reason"]),
      cwd: textOf(fields["cwd"]),
      prompt_characters: prompt?.length,
    },
  };
}

function outcome(form: Form, hook: string, fields: Fields): Partial<Understood> {
  const failed = /failure$/i.test(hook) || fieldsOf(fields["tool_response"])?.["error"] !== undefined;
  const base = identity(form.client, hook, fields).attributes;
  return {
    exit_code: form.exitCode?.(fields["tool_response"]),
    duration_ms: numberOf(fields["duration_ms"]),
    ...(failed ? { attributes: { ...base, failed } } : {}),
  };
}

/** `mcp__<server>__<tool>`, with the server's name where the payload gives it. */
export function doubleUnderscore(name: string, payload: Fields, ambient: Ambient): McpName | undefined {
  if (!name.startsWith("mcp__")) return undefined;
  const joined = name.slice(5);
  const told = textOf(fieldsOf(payload["mcp_server"])?.["name"]);
  const known = told ? [{ name: told }] : ambient.servers;
  const split = splitMcpName(joined, "__", known, true);
  return told ? { ...split, server: told } : split;
}

/** Says nothing that decides: the agent's own permission prompts stay. */
export const quiet: Answer = { stdout: "{}\n", stderr: "", exit: 0 };

export const json = (body: Fields): Answer => ({ stdout: `${JSON.stringify(body)}\n`, stderr: "", exit: 0 });

/** The answer to `PreToolUse`; `ask` only where the agent understands it. Other hooks are never answered. */
export function answerClaudeForm(read: Reading, verdict: Verdict | undefined, asks: boolean): Answer {
  const does = read.phase === "before" ? effect(verdict, asks) : "go";
  if (does === "go" || !verdict) return quiet;
  const text = explanation(verdict, asks);
  if (does === "warn") return json({ systemMessage: text });
  return json({
    hookSpecificOutput: { hookEventName: read.hook, permissionDecision: does, permissionDecisionReason: text },
  });
}
