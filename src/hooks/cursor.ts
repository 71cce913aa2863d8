import type { World } from "../domain/policy/verdict.ts";
import { json, quiet } from "./claude-form.ts";
import type { Ambient, Dialect, Phase, Problem, Reading } from "./dialect.ts";
import { reading } from "./event.ts";
import { effect, explanation } from "./explanation.ts";
import { argumentsOf, type Fields, fieldsOf, numberOf, present, textOf, textsOf } from "./payload.ts";
import { type Described, describeFiles, describeMcp, describeShell, describeTool } from "./tools.ts";

const phases: Record<string, [Phase, type?: string]> = {
  beforeShellExecution: ["before"],
  beforeMCPExecution: ["before"],
  beforeReadFile: ["before"],
  beforeTabFileRead: ["before"],
  preToolUse: ["before"],
  afterShellExecution: ["after"],
  afterMCPExecution: ["after"],
  afterFileEdit: ["after"],
  afterTabFileEdit: ["after"],
  postToolUse: ["after"],
  postToolUseFailure: ["after"],
  sessionStart: ["session", "session.start"],
  sessionEnd: ["session", "session.end"],
  beforeSubmitPrompt: ["other", "prompt.submit"],
  stop: ["other", "agent.stop"],
};

/** Cursor (documented form, not recorded). `ask` works for shell and MCP; a file read can only be allowed or denied. */
export const cursor: Dialect = {
  client: "cursor",
  asks: true,
  matches(payload) {
    const fields = fieldsOf(payload);
    return Boolean(textOf(fields?.["hook_event_name"]) && textOf(fields?.["conversation_id"]));
  },
  parse(payload, ambient) {
    const fields = fieldsOf(payload);
    const hook = textOf(fields?.["hook_event_name"]) ?? ambient.hook;
    return fields && hook ? read(fields, hook, ambient) : { problem: "hook_event_name is missing" };
  },
  answer(read, verdict) {
    const asks = read.hook === "beforeShellExecution" || read.hook === "beforeMCPExecution";
    const does = read.phase === "before" ? effect(verdict, asks) : "go";
    if (verdict && (does === "ask" || does === "deny")) {
      const text = explanation(verdict, asks);
      // `preToolUse` first spoke of a `decision`; who knows one of them passes over the other.
      const formerly = read.hook === "preToolUse" ? { decision: does, reason: text } : {};
      return json({ permission: does, user_message: text, agent_message: text, ...formerly });
    }
    // `preToolUse` alone takes an answer without `permission` for a broken hook.
    return read.hook === "preToolUse" ? json({ permission: "allow", decision: "allow" }) : quiet;
  },
};

function read(fields: Fields, hook: string, ambient: Ambient): Reading | Problem {
  const [phase, type] = phases[hook] ?? (["other"] as const);
  const judged = phase === "before" || phase === "after";
  const described = judged ? describe(hook, fields, ambient) : undefined;
  if (judged && !described) return { problem: `${hook} does not say what it is about` };
  const prompt = textOf(fields["prompt"]);
  return reading(
    {
      client: "cursor",
      phase,
      hook,
      ...present({ type }),
      session_id: textOf(fields["conversation_id"]) ?? textOf(fields["session_id"]),
      tool_use_id: textOf(fields["tool_use_id"]),
      duration_ms: numberOf(fields["duration"]),
      ...described,
      attributes: {
        hook,
        model: textOf(fields["model"]),
        generation_id: textOf(fields["generation_id"]),
        cursor_version: textOf(fields["cursor_version"]),
        sandbox: typeof fields["sandbox"] === "boolean" ? fields["sandbox"] : undefined,
        prompt_characters: prompt?.length,
        ...(/failure$/i.test(hook) ? { failed: true } : {}),
      },
    },
    ambient,
  );
}

function describe(hook: string, fields: Fields, ambient: Ambient): Described | undefined {
  const cwd = textOf(fields["cwd"]) ?? textsOf(fields["workspace_roots"])[0];
  const world: World = { client: "cursor", ...present({ cwd }) };
  const command = textOf(fields["command"]);
  const path = textOf(fields["file_path"]);
  const tool = textOf(fields["tool_name"]);
  if (/ShellExecution$/.test(hook)) return command === undefined ? undefined : describeShell([command], world);
  if (/FileEdit$/.test(hook)) return path === undefined ? undefined : describeFiles("edit_file", [path], world);
  if (/Read(File)?$|FileRead$/.test(hook))
    return path === undefined ? undefined : describeFiles("read_file", [path], world);
  if (!tool) return undefined;
  const input = argumentsOf(fields["tool_input"]);
  if (/MCPExecution$/.test(hook) || tool.startsWith("MCP:"))
    return describeMcp(...mcp(tool, fields, ambient), input, world);
  return describeTool(tool, input, world);
}

/** `MCP:<server>:<tool>` or the bare tool name beside the server's `command` or `url`, looked up among the declared servers. */
function mcp(name: string, fields: Fields, ambient: Ambient): [server: string | undefined, tool: string] {
  const [, server, tool] = /^MCP:([^:]+):(.+)$/.exec(name) ?? [];
  if (server && tool) return [server, tool];
  const { command, url } = fields;
  const declared = ambient.servers?.find(
    each =>
      (url !== undefined && each.url === url) ||
      (each.command !== undefined && typeof command === "string" && command.startsWith(each.command)),
  );
  return [declared?.name, name.replace(/^MCP:/, "")];
}
