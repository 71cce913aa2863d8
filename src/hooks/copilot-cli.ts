import type { World } from "../domain/policy/verdict.ts";
import { answerClaudeForm, json, quiet, readClaudeForm } from "./claude-form.ts";
import type { Ambient, Dialect, Phase, Problem, Reading } from "./dialect.ts";
import { reading, timeOf, traceIdOf } from "./event.ts";
import { effect, explanation } from "./explanation.ts";
import { type McpName, splitMcpName } from "./mcp-name.ts";
import { argumentsOf, type Fields, fieldsOf, present, textOf } from "./payload.ts";
import { describeMcp, describeTool } from "./tools.ts";

/**
 * GitHub Copilot CLI. Two forms: camelCase hooks (`toolName`, `toolArgs`, a `traceparent`, no event name) and PascalCase
 * ones in Claude's form. Its `ask` works; without a terminal it is a denial.
 */
export const copilotCli: Dialect = {
  client: "copilot-cli",
  asks: true,
  matches(payload) {
    const fields = fieldsOf(payload);
    if (!fields) return false;
    if (textOf(fields["sessionId"]) && fields["timestamp"] !== undefined) return true;
    return (
      textOf(fields["hook_event_name"]) !== undefined && !("transcript_path" in fields) && !("tool_use_id" in fields)
    );
  },
  parse(payload, ambient) {
    const fields = fieldsOf(payload);
    if (!fields) return { problem: "the payload is not an object" };
    if (textOf(fields["hook_event_name"])) return readClaudeForm({ client: "copilot-cli", mcp }, payload, ambient);
    return readCamel(fields, ambient);
  },
  answer(read, verdict) {
    if (read.event.attributes?.["form"] !== "camel") return answerClaudeForm(read, verdict, true);
    const does = read.phase === "before" ? effect(verdict, true) : "go";
    if (does === "go" || does === "warn" || !verdict) return quiet;
    return json({ permissionDecision: does, permissionDecisionReason: explanation(verdict, true) });
  },
};

const named: Record<string, [Phase, type?: string]> = {
  preToolUse: ["before"],
  postToolUse: ["after"],
  sessionStart: ["session", "session.start"],
  sessionEnd: ["session", "session.end"],
  userPromptSubmitted: ["other", "prompt.submit"],
  errorOccurred: ["other", "agent.error"],
};

function readCamel(fields: Fields, ambient: Ambient): Reading | Problem {
  const hook = ambient.hook ?? hookOf(fields);
  if (!hook) return { problem: "neither a tool call nor a session event" };
  const [phase, type] = named[hook] ?? (["other"] as const);
  const tool = textOf(fields["toolName"]);
  if ((phase === "before" || phase === "after") && !tool) return { problem: "toolName is missing" };
  const result = fieldsOf(fields["toolResult"]);
  return reading(
    {
      client: "copilot-cli",
      phase,
      hook,
      ...present({ type }),
      session_id: textOf(fields["sessionId"]),
      trace_id: traceIdOf(fields["traceparent"]),
      time_ms: timeOf(fields["timestamp"]),
      exit_code: exitCode(result),
      ...(tool ? describe(tool, fields, ambient) : {}),
      attributes: {
        form: "camel",
        hook,
        source: textOf(fields["source"]),
        reason: textOf(fields["reason"]),
        result: textOf(result?.["resultType"]),
        cwd: textOf(fields["cwd"]),
      },
    },
    ambient,
  );
}

/** The camelCase payload does not name its hook. */
function hookOf(fields: Fields): string | undefined {
  if (fields["toolName"] !== undefined) return "toolResult" in fields ? "postToolUse" : "preToolUse";
  if ("initialPrompt" in fields || "source" in fields) return "sessionStart";
  if ("reason" in fields) return "sessionEnd";
  if ("prompt" in fields) return "userPromptSubmitted";
  return "error" in fields ? "errorOccurred" : undefined;
}

function describe(tool: string, fields: Fields, ambient: Ambient) {
  const world: World = { client: "copilot-cli", ...present({ cwd: textOf(fields["cwd"]) }) };
  const input = argumentsOf(fields["toolArgs"]);
  const name = mcp(tool, fields, ambient);
  return name ? describeMcp(name.server, name.tool, input, world) : describeTool(tool, input, world);
}

/** MCP tools are `<server>-<tool>`; Copilot's own tools have no dash. Both names may hold dashes, so only a declared server splits them. */
function mcp(name: string, _payload: Fields, ambient: Ambient): McpName | undefined {
  return name.includes("-") ? splitMcpName(name, "-", ambient.servers) : undefined;
}

function exitCode(result: Fields | undefined): number | undefined {
  const found = /completed with exit code (\d{1,3})/.exec(textOf(result?.["textResultForLlm"]) ?? "")?.[1];
  return found ? Number(found) : undefined;
}
