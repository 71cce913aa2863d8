import type { World } from "../domain/policy/verdict.ts";
import { json } from "./claude-form.ts";
import type { Ambient, Dialect, Phase, Problem, Reading } from "./dialect.ts";
import { reading, timeOf } from "./event.ts";
import { effect, explanation } from "./explanation.ts";
import { splitMcpName } from "./mcp-name.ts";
import { argumentsOf, type Fields, fieldsOf, numberOf, present, textOf, textsOf } from "./payload.ts";
import { type Described, describeMcp, describeTool } from "./tools.ts";

const phases: Record<string, [Phase, type?: string]> = {
  tool_call: ["before"],
  PreToolUse: ["before"],
  tool_result: ["after"],
  PostToolUse: ["after"],
  TaskStart: ["session", "session.start"],
  TaskResume: ["session", "session.start"],
  TaskCancel: ["session", "session.end"],
  TaskComplete: ["session", "session.end"],
  UserPromptSubmit: ["other", "prompt.submit"],
};

/** Cline: the file name is the event. It cannot ask, and a cancelled call ends its whole run. */
export const cline: Dialect = {
  client: "cline",
  asks: false,
  matches: payload => fieldsOf(payload)?.["clineVersion"] !== undefined,
  parse(payload, ambient) {
    const fields = fieldsOf(payload);
    if (!fields) return { problem: "the payload is not an object" };
    const hook = ambient.hook ?? textOf(fields["hookName"]);
    return hook ? read(fields, hook, ambient) : { problem: "hookName is missing" };
  },
  answer(read, verdict) {
    const does = read.phase === "before" ? effect(verdict, false) : "go";
    return verdict && does === "deny"
      ? json({ cancel: true, errorMessage: explanation(verdict, false) })
      : json({ cancel: false });
  },
};

function read(fields: Fields, hook: string, ambient: Ambient): Reading | Problem {
  const [phase, type] = phases[hook] ?? (["other"] as const);
  const detail = fieldsOf(fields["tool_call"]) ?? {};
  const older = fieldsOf(fields[phase === "after" ? "postToolUse" : "preToolUse"]) ?? {};
  const tool = textOf(detail["name"]) ?? textOf(older["toolName"]);
  const judged = phase === "before" || phase === "after";
  if (judged && !tool) return { problem: "tool_call.name is missing" };
  return reading(
    {
      client: "cline",
      phase,
      hook,
      ...present({ type }),
      session_id: textOf(fields["taskId"]),
      tool_use_id: textOf(detail["id"]),
      time_ms: timeOf(fields["timestamp"]),
      duration_ms: numberOf(older["executionTimeMs"]),
      ...(judged && tool ? describe(tool, argumentsOf(detail["input"] ?? older["parameters"]), fields, ambient) : {}),
      attributes: { hook, subagent_id: textOf(fields["agent_id"]), iteration: numberOf(fields["iteration"]) },
    },
    ambient,
  );
}

function describe(tool: string, input: Fields, fields: Fields, ambient: Ambient): Described {
  const cwd = textsOf(fields["workspaceRoots"])[0];
  const world: World = { client: "cline", ...present({ cwd }) };
  const server = textOf(input["server_name"]);
  const name = textOf(input["tool_name"]);
  if (tool === "use_mcp_tool" && name) return describeMcp(server, name, argumentsOf(input["arguments"]), world);
  if (!tool.includes("__")) return describeTool(tool, input, world);
  const split = splitMcpName(tool, "__", ambient.servers, true);
  return describeMcp(split.server, split.tool, input, world);
}
