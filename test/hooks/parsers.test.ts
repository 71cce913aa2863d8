import { expect, test } from "bun:test";
import fc from "fast-check";
import { clients, isProblem } from "../../src/hooks/dialect.ts";
import { dialects, isClient } from "../../src/hooks/index.ts";
import { ambient, verdict } from "./recordings.ts";

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

test("a shell tool's command is judged whatever its member is called or holds", () => {
  const commands = (tool_name: string, tool_input: unknown) => {
    const read = dialects.codex.parse({ hook_event_name: "PreToolUse", tool_name, tool_input }, ambient());
    if (isProblem(read)) throw new Error(read.problem);
    return read.calls.flatMap(call => ("command" in call ? [call.command] : []));
  };
  const rm = "rm -rf /";
  for (const input of [rm, { cmdline: rm }, { command: { text: ["x", rm] } }, { input: [{ run: rm }] }])
    expect(commands("Bash", input)).toContain(rm);
  expect(commands("Bash", { command: "ls", description: rm })).toEqual(["ls"]);
  expect(commands("write_stdin", { session_id: 5 })).toEqual([]);
});
