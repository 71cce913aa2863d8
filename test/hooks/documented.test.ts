import { describe, expect, test } from "bun:test";
import { dialects } from "../../src/hooks/index.ts";
import { ambient, before, lines, read, verdict } from "./recordings.ts";

describe("documented forms of agents that could not be recorded", () => {
  test("Cursor", () => {
    const base = { conversation_id: "c-1", generation_id: "g", workspace_roots: ["/r"], cursor_version: "2" };
    const shell = { ...base, hook_event_name: "beforeShellExecution", command: "rm -rf /", cwd: "/r/x" };
    expect(read("cursor", shell)).toMatchObject({
      phase: "before",
      calls: [{ type: "shell", command: "rm -rf /", cwd: "/r/x" }],
    });
    const edit = { ...base, hook_event_name: "afterFileEdit", file_path: "/r/a.ts", edits: [] };
    expect(lines([read("cursor", edit)])).toEqual(['after | file.access | @agent/edit_file {"path":"/r/a.ts"}']);
    const file = { ...base, hook_event_name: "beforeReadFile", file_path: "/r/.env", content: "A=1" };
    expect(lines([read("cursor", file)])).toEqual([before('@agent/read_file {"path":"/r/.env"}')]);
    expect(dialects.cursor.parse({ ...base, hook_event_name: "beforeShellExecution" }, ambient())).toHaveProperty(
      "problem",
    );
    const tool = (tool_name: string, tool_input: unknown) =>
      read("cursor", { ...base, hook_event_name: "preToolUse", tool_use_id: "u-1", tool_name, tool_input });
    expect(lines([tool("Write", { file_path: "/r/.env", contents: "A=1" }), tool("Delete", { path: "/r/b" })])).toEqual(
      [before('@agent/write_file {"path":"/r/.env"}'), before('@agent/delete_file {"path":"/r/b"}')],
    );
    const refused = dialects.cursor.answer(tool("Write", { file_path: "/r/.env" }), verdict("BLOCK"));
    expect(JSON.parse(refused.stdout)).toMatchObject({ permission: "deny", decision: "deny" });
    const let_go = dialects.cursor.answer(tool("Write", { file_path: "/r/a" }), verdict("ALLOW"));
    expect(JSON.parse(let_go.stdout)).toEqual({ permission: "allow", decision: "allow" });
  });

  test("Windsurf", () => {
    const base = { trajectory_id: "t-1", execution_id: "e-1", timestamp: "2026-11-20T12:00:00Z" };
    const info = (agent_action_name: string, tool_info: unknown) => ({ ...base, agent_action_name, tool_info });
    const run = info("pre_run_command", { command_line: "ls", cwd: "/r" });
    const mcp = info("pre_mcp_tool_use", { mcp_server_name: "db", mcp_tool_name: "q", mcp_tool_arguments: { a: 1 } });
    const write = info("post_write_code", { file_path: "/r/a", edits: [] });
    const prompt = info("pre_user_prompt", { user_prompt: "hello" });
    expect(lines([run, mcp, write, prompt].map(payload => read("windsurf", payload)))).toEqual([
      before("$ ls"),
      before('db/q {"a":1}'),
      'after | file.access | @agent/edit_file {"path":"/r/a"}',
      "other | prompt.submit",
    ]);
    expect(read("windsurf", run).event.id).not.toBe(read("windsurf", run, { random: () => "x" }).event.id);
  });

  test("Kiro", () => {
    const payload = {
      hook_event_name: "preToolUse",
      cwd: "/r",
      tool_name: "execute_bash",
      tool_input: { command: "ls" },
    };
    expect(lines([read("kiro", payload)])).toEqual([before("$ ls")]);
    const named = (tool_name: string, tool_input: unknown) => read("kiro", { ...payload, tool_name, tool_input });
    expect(
      lines([
        named("executeBash", { command: "ls" }),
        named("fsWrite", { path: "/r/a", text: "x" }),
        named("fs_write", { command: "create", path: "/r/a" }),
        named("strReplace", { path: "/r/a" }),
        named("@db/query", { sql: "select 1" }),
      ]),
    ).toEqual([
      before("$ ls"),
      before('@agent/write_file {"path":"/r/a"}'),
      before('@agent/write_file {"path":"/r/a"}'),
      before('@agent/edit_file {"path":"/r/a"}'),
      before('db/query {"sql":"select 1"}'),
    ]);
  });
});
