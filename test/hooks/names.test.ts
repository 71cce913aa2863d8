import { describe, expect, test } from "bun:test";
import type { Ambient, Client } from "../../src/hooks/dialect.ts";
import { brief, read } from "./recordings.ts";

describe("names and tools", () => {
  const shape = (client: Client, payload: unknown, extra: Partial<Ambient> = {}) =>
    read(client, payload, extra).calls.map(brief);
  const tool = (tool_name: string, tool_input: unknown, more = {}) => ({
    hook_event_name: "PreToolUse",
    session_id: "s",
    cwd: "/r",
    tool_name,
    tool_input,
    ...more,
  });

  test("MCP names by the declared servers, the longest first", () => {
    const many = [{ name: "git" }, { name: "git_hub" }, { name: "my server" }];
    expect(shape("opencode", { ev: "before", input: { tool: "git_hub_get" }, args: {} }, { servers: many })).toEqual([
      "git_hub/get {}",
    ]);
    expect(shape("opencode", { ev: "before", input: { tool: "who_knows" }, args: {} })).toEqual(["?/who_knows {}"]);
    expect(shape("claude-code", tool("mcp__my_server__x", {}), { servers: many })).toEqual(["my server/x {}"]);
    expect(shape("claude-code", tool("mcp__a__b__c", {}))).toEqual(["a/b__c {}"]);
    expect(shape("gemini-cli", tool("mcp_git_hub_get", {}), { servers: many })).toEqual(["git_hub/get {}"]);
    expect(shape("copilot-cli", tool("git-hub-get", {}), { servers: [{ name: "git-hub" }] })).toEqual([
      "git-hub/get {}",
    ]);
    expect(shape("kiro", tool("@git/status", {}))).toEqual(["git/status {}"]);
  });

  test("Cursor's arguments are JSON in a string, its server is found by command or address", () => {
    const payload = {
      hook_event_name: "beforeMCPExecution",
      conversation_id: "c",
      workspace_roots: ["/r"],
      tool_name: "query",
      tool_input: '{"sql":"drop table t"}',
      url: "https://db.example/mcp",
    };
    const declared = [
      { name: "files", command: "npx files" },
      { name: "db", url: "https://db.example/mcp" },
    ];
    expect(shape("cursor", payload, { servers: declared })).toEqual(['db/query {"sql":"drop table t"}']);
    expect(
      shape("cursor", { ...payload, url: undefined, command: "npx files --root /" }, { servers: declared }),
    ).toEqual(['files/query {"sql":"drop table t"}']);
    expect(shape("cursor", { ...payload, tool_name: "MCP:db:query", tool_input: "{broken" })).toEqual([
      'db/query {"value":"{broken"}',
    ]);
  });

  test("a patch is file writes, not shell", () => {
    const patch = [
      "*** Begin Patch",
      "*** Add File: src/rm -rf.ts",
      "+rm -rf /",
      "*** Update File: a.ts",
      "*** Move to: ../b.ts",
      "*** Delete File: /etc/passwd",
      "*** End Patch",
    ].join("\n");
    expect(shape("codex", tool("apply_patch", { command: patch }))).toEqual([
      '@agent/write_file {"path":"src/rm -rf.ts"}',
      '@agent/move_file {"path":"a.ts","to":"../b.ts"}',
      '@agent/delete_file {"path":"/etc/passwd"}',
    ]);
  });

  test("several commands are judged one by one", () => {
    const payload = {
      clineVersion: "3",
      hookName: "tool_call",
      taskId: "t",
      tool_call: { id: "1", name: "run_commands", input: { commands: ["cat <<EOF", "rm -rf /"] } },
    };
    const { calls, event } = read("cline", payload);
    expect(calls.map(brief)).toEqual(["$ cat <<EOF", "$ rm -rf /"]);
    expect(event.action?.command).toBe("cat <<EOF\nrm -rf /");
  });

  test("argument vectors keep their words", () => {
    expect(shape("codex", tool("local_shell", { command: ["bash", "-lc", "echo 'a b' && ls"] }))).toEqual([
      `$ bash -lc 'echo '\\''a b'\\'' && ls'`,
    ]);
  });

  test("agents' own file and web tools are judged by path and address", () => {
    expect(shape("claude-code", tool("Read", { file_path: "/r/.env" }))).toEqual([
      '@agent/read_file {"path":"/r/.env"}',
    ]);
    expect(shape("gemini-cli", tool("read_many_files", { paths: ["a", "b"] }))).toEqual([
      '@agent/read_file {"path":"a"}',
      '@agent/read_file {"path":"b"}',
    ]);
    expect(shape("kiro", tool("fs_read", { operations: [{ mode: "Line", path: "~/.ssh/id_rsa" }] }))).toEqual([
      '@agent/read_file {"path":"~/.ssh/id_rsa"}',
    ]);
    expect(shape("claude-code", tool("WebFetch", { url: "https://x.test/", prompt: "p" }))).toEqual([
      '@agent/fetch_url {"url":"https://x.test/"}',
    ]);
    expect(shape("claude-code", tool("PowerShell", { command: "iex x" }))).toEqual(["$ iex x"]);
    expect(read("claude-code", tool("PowerShell", { command: "iex x" })).calls[0]).toMatchObject({
      dialect: "powershell",
    });
  });

  test("an unknown tool that carries a command is shell, any other is only reported", () => {
    expect(shape("claude-code", tool("Brandnew", { command: "rm -rf /" }))).toEqual(["$ rm -rf /"]);
    const todo = read("claude-code", tool("TodoWrite", { todos: [] }));
    expect(todo.calls).toEqual([]);
    expect(todo.event.action).toMatchObject({ kind: "tool", tool: "TodoWrite" });
  });
});
