import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Call, Verdict } from "../src/domain/policy/verdict.ts";
import { type Ambient, type Client, clients, type Event, isProblem, type Reading } from "../src/hooks/dialect.ts";
import { decided } from "../src/hooks/event.ts";
import { dialects, isClient } from "../src/hooks/index.ts";

const now_ms = Date.UTC(2026, 10, 20, 13);
const ambient = (extra: Partial<Ambient> = {}): Ambient => {
  let n = 0;
  return { now_ms, random: () => `r${++n}`, ...extra };
};

const recorded = (name: string): unknown[] =>
  readFileSync(join(import.meta.dir, "fixtures/hooks", `${name}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map(line => JSON.parse(line) as unknown);

function read(client: Client, payload: unknown, extra: Partial<Ambient> = {}): Reading {
  const result = dialects[client].parse(payload, ambient(extra));
  if (isProblem(result)) throw new Error(result.problem);
  return result;
}

const brief = (call: Call): string =>
  call.type === "shell" ? `$ ${call.command}` : `${call.server ?? "?"}/${call.tool} ${JSON.stringify(call.args)}`;
const lines = (readings: Reading[]): string[] =>
  readings.map(({ phase, event, calls }) => [phase, event.type, ...calls.map(brief)].join(" | "));

const ok = "$ echo hi > ok.txt";
const rm = "$ rm -rf victim";
const hosts = 'demo/read_file {"path":"/etc/hosts"}';
const shadow = 'demo/read_file {"path":"/etc/shadow"}';
const before = (what: string) => `before | tool.request | ${what}`;
const servers = [{ name: "demo" }];

const golden: [recording: string, client: Client, expected: string[]][] = [
  [
    "claude-code-2.1.329",
    "claude-code",
    [
      "session | session.start",
      before(ok),
      `after | shell.exec | ${ok}`,
      before(rm),
      before(hosts),
      `after | mcp.call | ${hosts}`,
      before(shadow),
      "session | session.end",
    ],
  ],
  ["claude-code-2.1.329-http", "claude-code", [before(ok), before(rm), before(hosts), before(shadow)]],
  [
    "codex-0.169.0",
    "codex",
    [
      "session | session.start",
      before(ok),
      `after | shell.exec | ${ok}`,
      before(rm),
      before(hosts),
      `after | mcp.call | ${hosts}`,
      before(shadow),
    ],
  ],
  [
    "gemini-cli-0.61.0",
    "gemini-cli",
    [
      "session | session.start",
      before(ok),
      `after | shell.exec | ${ok}`,
      before(rm),
      before(hosts),
      `after | mcp.call | ${hosts}`,
      before(shadow),
    ],
  ],
  [
    "copilot-cli-1.0.102",
    "copilot-cli",
    [
      "session | session.start",
      before(ok),
      `after | shell.exec | ${ok}`,
      before(rm),
      before(hosts),
      `after | mcp.call | ${hosts}`,
      before(shadow),
    ],
  ],
  ["copilot-cli-1.0.102-pascalcase", "copilot-cli", [before(ok), before(rm), before(hosts), before(shadow)]],
  ["qwen-code-0.15.10", "qwen-code", [before(ok), before(rm), before(hosts), before(shadow)]],
  [
    "opencode-1.18.33-plugin",
    "opencode",
    [
      before(ok),
      `after | shell.exec | ${ok}`,
      before(rm),
      before(hosts),
      `after | mcp.call | ${hosts}`,
      before(shadow),
    ],
  ],
  ["cline-3.0.65", "cline", [before(ok), before(rm)]],
];

describe("recorded payloads", () => {
  for (const [recording, client, expected] of golden) {
    test(recording, () => {
      const payloads = recorded(recording);
      const readings = payloads.map(payload => read(client, payload, { servers }));
      expect(lines(readings)).toEqual(expected);
      for (const { event } of readings) {
        expect(event.client).toBe(client);
        expect(event.session_id).toMatch(/^[\w-]{20,}$/);
        expect(event.time.startsWith("2026-11-20T1")).toBe(true);
      }
      expect(payloads.every(payload => dialects[client].matches(payload))).toBe(true);
    });
  }

  test("each payload is recognised by its own agent", () => {
    const confused = golden.flatMap(([recording, client]) =>
      recorded(recording).map(payload => [client, clients.find(other => dialects[other].matches(payload))]),
    );
    expect(confused.filter(([client, found]) => client !== found)).toEqual([]);
  });
});

describe("events", () => {
  const ids = (recording: string, client: Client) => {
    const shared = ambient();
    return recorded(recording).map(payload => (dialects[client].parse(payload, shared) as Reading).event.id);
  };

  test.each(golden)("ids of %s are unique and well formed", (recording, client) => {
    const found = ids(recording, client);
    expect(new Set(found).size).toBe(found.length);
    expect(found.filter(id => !/^[A-Za-z0-9._:-]{1,128}$/.test(id))).toEqual([]);
  });

  test("the same hook seen twice has the same id, before and after differ", () => {
    const [, first, second] = recorded("claude-code-2.1.329");
    expect(read("claude-code", first).event.id).toBe("claude-code:23e4ce11-0b0d-4dd2-9756-f617cd30fcd6:toolu_1:before");
    expect(read("claude-code", first).event.id).toBe(read("claude-code", first, { random: () => "other" }).event.id);
    expect(read("claude-code", second).event.id).toBe("claude-code:23e4ce11-0b0d-4dd2-9756-f617cd30fcd6:toolu_1:after");
  });

  test("an id too long or oddly written falls back to randomness", () => {
    const payload = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };
    for (const tool_use_id of ["x".repeat(200), "a b", "ü"])
      expect(read("claude-code", { ...payload, tool_use_id }).event.id).toBe("claude-code:r1");
  });

  test("what identifies a call is carried", () => {
    const after = read("claude-code", recorded("claude-code-2.1.329")[2]).event;
    expect(after).toMatchObject({ tool_use_id: "toolu_1", duration_ms: 39, client: "claude-code" });
    const copilot = read("copilot-cli", recorded("copilot-cli-1.0.102")[2]).event;
    expect(copilot).toMatchObject({ trace_id: "2a4c20d32066bd28d8db2a69455a7ddb", exit_code: 0 });
    expect(copilot.time).toBe("2026-11-20T12:46:08.532Z");
  });

  test("content of prompts, files and results stays where it is", () => {
    const secret = "correct horse battery staple";
    const events: Event[] = [
      read("claude-code", { hook_event_name: "UserPromptSubmit", session_id: "s", prompt: secret }).event,
      read("claude-code", {
        hook_event_name: "PreToolUse",
        tool_name: "Write",
        tool_input: { file_path: "/r/a.md", content: secret },
      }).event,
      read("claude-code", {
        hook_event_name: "PostToolUse",
        tool_name: "Bash",
        tool_input: { command: "cat a" },
        tool_response: { stdout: secret },
      }).event,
      read("cursor", {
        hook_event_name: "beforeReadFile",
        conversation_id: "c",
        file_path: "/r/.env",
        content: secret,
      }).event,
      read("codex", {
        hook_event_name: "PreToolUse",
        tool_name: "apply_patch",
        tool_input: { command: `*** Begin Patch\n*** Add File: a\n+${secret}\n*** End Patch` },
      }).event,
    ];
    expect(events.map(event => JSON.stringify(event)).filter(text => text.includes("horse"))).toEqual([]);
    expect(events[1]?.action).toEqual({ kind: "file", tool: "write_file", args: { path: "/r/a.md", bytes: 28 } });
  });

  test("a decision turns the request into one policy.decision with the true decision", () => {
    const { event } = read("codex", recorded("codex-0.169.0")[3]);
    const marked = decided(event, { ...verdict("BLOCK"), mode: "audit-only", enforced: false });
    expect(marked).toMatchObject({ type: "policy.decision", decision: "BLOCK", rules: ["core.delete"], id: event.id });
    expect(marked.attributes).toMatchObject({ mode: "audit-only", enforced: false });
  });
});

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

function verdict(decision: Verdict["decision"]): Verdict {
  const match = {
    rule: "core.delete",
    pack: "core",
    severity: "high",
    decision,
    reason: "`rm -rf victim` deletes victim.",
    instead: "Move it away.",
    via: ["sudo", "bash -c"],
  } as const;
  return {
    decision,
    rules: ["core.delete"],
    reasons: [match.reason],
    matched: decision === "ALLOW" ? [] : [{ ...match, via: [...match.via] }],
    mode: "enforce",
    enforced: true,
  };
}

describe("answers", () => {
  const payloads: Record<Client, unknown> = {
    "claude-code": recorded("claude-code-2.1.329")[3],
    codex: recorded("codex-0.169.0")[3],
    "gemini-cli": recorded("gemini-cli-0.61.0")[3],
    "copilot-cli": recorded("copilot-cli-1.0.102")[3],
    "qwen-code": recorded("qwen-code-0.15.10")[1],
    cursor: { hook_event_name: "beforeShellExecution", conversation_id: "c", command: "rm -rf victim", cwd: "/r" },
    opencode: recorded("opencode-1.18.33-plugin")[2],
    cline: recorded("cline-3.0.65")[1],
    windsurf: { agent_action_name: "pre_run_command", tool_info: { command_line: "rm -rf victim" } },
    kiro: { hook_event_name: "preToolUse", tool_name: "execute_bash", tool_input: { command: "rm -rf victim" } },
  };
  const answer = (client: Client, given?: Verdict) => dialects[client].answer(read(client, payloads[client]), given);
  const body = (client: Client, given?: Verdict) => JSON.parse(answer(client, given).stdout) as Record<string, unknown>;
  const claudeBody = (permissionDecision: string) => ({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision,
      permissionDecisionReason: expect.stringContaining("core.delete"),
    },
  });
  const byExit: Client[] = ["windsurf", "kiro"];

  test("BLOCK is a denial with its reason, in each agent's form", () => {
    const block = verdict("BLOCK");
    expect(body("claude-code", block)).toEqual(claudeBody("deny"));
    expect(body("codex", block)).toEqual(claudeBody("deny"));
    expect(body("qwen-code", block)).toEqual(claudeBody("deny"));
    expect(body("gemini-cli", block)).toEqual({ decision: "deny", reason: expect.stringContaining("core.delete") });
    expect(body("copilot-cli", block)).toEqual({
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining("core.delete"),
    });
    const pascal = read("copilot-cli", recorded("copilot-cli-1.0.102-pascalcase")[1]);
    expect(JSON.parse(dialects["copilot-cli"].answer(pascal, block).stdout)).toEqual(claudeBody("deny"));
    expect(body("cursor", block)).toMatchObject({
      permission: "deny",
      agent_message: expect.stringContaining("core.delete"),
    });
    expect(body("opencode", block)).toEqual({ decision: "deny", reason: expect.stringContaining("core.delete") });
    expect(body("cline", block)).toEqual({ cancel: true, errorMessage: expect.stringContaining("core.delete") });
    for (const client of byExit)
      expect(answer(client, block)).toEqual({ stdout: "", stderr: expect.stringContaining("core.delete"), exit: 2 });
  });

  test("ASK asks where that works and denies elsewhere", () => {
    const ask = verdict("ASK");
    expect(body("claude-code", ask)).toEqual(claudeBody("ask"));
    expect(body("copilot-cli", ask)).toMatchObject({ permissionDecision: "ask" });
    expect(body("cursor", ask)).toMatchObject({ permission: "ask" });
    expect(body("codex", ask)).toEqual(claudeBody("deny"));
    expect(body("qwen-code", ask)).toEqual(claudeBody("deny"));
    expect(body("gemini-cli", ask)).toMatchObject({
      decision: "deny",
      reason: expect.stringContaining("nobody to ask"),
    });
    expect(body("cline", ask)).toMatchObject({ cancel: true });
    for (const client of byExit) expect(answer(client, ask).exit).toBe(2);
    const readFile = read("cursor", { hook_event_name: "beforeReadFile", conversation_id: "c", file_path: "/r/.env" });
    expect(JSON.parse(dialects.cursor.answer(readFile, ask).stdout)).toMatchObject({ permission: "deny" });
  });

  test("ALLOW, no verdict, audit-only and hooks that come too late decide nothing", () => {
    const audit = { ...verdict("BLOCK"), mode: "audit-only" as const, enforced: false };
    for (const client of clients) {
      const silent = client === "cline" ? '{"cancel":false}\n' : byExit.includes(client) ? "" : "{}\n";
      for (const given of [verdict("ALLOW"), undefined, audit])
        expect([client, answer(client, given)]).toEqual([client, { stdout: silent, stderr: "", exit: 0 }]);
    }
    const after = read("claude-code", recorded("claude-code-2.1.329")[2]);
    expect(dialects["claude-code"].answer(after, verdict("BLOCK")).stdout).toBe("{}\n");
  });

  test("WARN never stops a call", () => {
    for (const client of clients) {
      const { stdout, exit } = answer(client, verdict("WARN"));
      expect([client, exit, /deny|ask|"cancel":true/.test(stdout)]).toEqual([client, 0, false]);
    }
    expect(body("claude-code", verdict("WARN"))).toEqual({ systemMessage: expect.stringContaining("core.delete") });
  });
});

test("no payload makes a parser throw, and every event it yields is well formed", () => {
  const names = fc.constantFrom(
    "PreToolUse",
    "BeforeTool",
    "preToolUse",
    "before",
    "pre_run_command",
    "tool_call",
    "x",
  );
  const tools = fc.constantFrom(
    "Bash",
    "mcp__a__b",
    "apply_patch",
    "Read",
    "run_commands",
    "mcp_",
    "mcp__",
    "-",
    "@/",
    "",
  );
  const payload = fc.oneof(
    fc.jsonValue(),
    fc.record({
      hook_event_name: names,
      agent_action_name: names,
      hookName: names,
      ev: names,
      conversation_id: fc.constant("c"),
      tool_name: tools,
      toolName: tools,
      tool_input: fc.jsonValue(),
      toolArgs: fc.jsonValue(),
      tool_info: fc.jsonValue(),
      tool_call: fc.record({ name: tools, input: fc.jsonValue() }),
      input: fc.record({ tool: tools, sessionID: fc.jsonValue() }),
      session_id: fc.jsonValue(),
      timestamp: fc.jsonValue(),
      tool_use_id: fc.jsonValue(),
      command: fc.jsonValue(),
    }),
  );
  fc.assert(
    fc.property(payload, fc.constantFrom(...clients), (value, client) => {
      const result = dialects[client].parse(value, ambient());
      if (isProblem(result)) return;
      expect(result.event.id).toMatch(/^[A-Za-z0-9._:-]{1,128}$/);
      expect(new Date(result.event.time).toISOString()).toBe(result.event.time);
      expect(dialects[client].answer(result, verdict("BLOCK")).stdout.length).toBeLessThan(5000);
    }),
    { numRuns: 2000 },
  );
});

test("only known names are clients", () => {
  expect(clients.every(isClient)).toBe(true);
  expect(["constructor", "claude", "", "__proto__"].some(isClient)).toBe(false);
});
