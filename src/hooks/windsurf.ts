import type { World } from "../domain/policy/verdict.ts";
import type { Dialect } from "./dialect.ts";
import { reading, timeOf } from "./event.ts";
import { answerByExit } from "./exit-two.ts";
import { argumentsOf, type Fields, fieldsOf, present, textOf } from "./payload.ts";
import { type Described, describeFiles, describeMcp, describeShell } from "./tools.ts";

/** Windsurf (Cascade hooks; documented form, not recorded). */
export const windsurf: Dialect = {
  client: "windsurf",
  asks: false,
  matches: payload => textOf(fieldsOf(payload)?.["agent_action_name"]) !== undefined,
  parse(payload, ambient) {
    const fields = fieldsOf(payload);
    const hook = textOf(fields?.["agent_action_name"]) ?? ambient.hook;
    if (!fields || !hook) return { problem: "agent_action_name is missing" };
    const info = fieldsOf(fields["tool_info"]) ?? {};
    const judged = /^(pre|post)_(run_command|mcp_tool_use|read_code|write_code)$/.exec(hook);
    const described = judged ? describe(judged[2]!, info) : undefined;
    if (judged && !described) return { problem: `tool_info of ${hook} does not say what it is about` };
    return reading(
      {
        client: "windsurf",
        phase: judged ? (judged[1] === "pre" ? "before" : "after") : "other",
        hook,
        ...(hook === "pre_user_prompt" ? { type: "prompt.submit" } : {}),
        session_id: textOf(fields["trajectory_id"]),
        time_ms: timeOf(fields["timestamp"]),
        ...described,
        // One execution is a turn of many actions, so it identifies none of them.
        attributes: {
          hook,
          execution_id: textOf(fields["execution_id"]),
          prompt_characters: textOf(info["user_prompt"])?.length,
        },
      },
      ambient,
    );
  },
  answer: answerByExit,
};

function describe(what: string, info: Fields): Described | undefined {
  const world: World = { client: "windsurf", ...present({ cwd: textOf(info["cwd"]) }) };
  const command = textOf(info["command_line"]);
  const path = textOf(info["file_path"]);
  const tool = textOf(info["mcp_tool_name"]);
  if (what === "run_command") return command === undefined ? undefined : describeShell([command], world);
  if (what === "read_code") return path === undefined ? undefined : describeFiles("read_file", [path], world);
  if (what === "write_code") return path === undefined ? undefined : describeFiles("edit_file", [path], world);
  return tool === undefined
    ? undefined
    : describeMcp(textOf(info["mcp_server_name"]), tool, argumentsOf(info["mcp_tool_arguments"]), world);
}
