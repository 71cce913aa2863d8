import { describe, expect, test } from "bun:test";
import { type Client, clients, type Event, type Reading } from "../../src/hooks/dialect.ts";
import { decided } from "../../src/hooks/event.ts";
import { dialects } from "../../src/hooks/index.ts";
import { ambient, golden, lines, read, recorded, servers, verdict } from "./recordings.ts";

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
