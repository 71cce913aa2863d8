import { describe, expect, test } from "bun:test";
import type { Verdict } from "../../src/domain/policy/verdict.ts";
import { type Client, clients } from "../../src/hooks/dialect.ts";
import { dialects } from "../../src/hooks/index.ts";
import { read, recorded, verdict } from "./recordings.ts";

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
