import { describe, expect, test } from "bun:test";
import { dialects } from "../../src/hooks/index.ts";
import { ambient, before, lines, read } from "./recordings.ts";

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
  });
});
