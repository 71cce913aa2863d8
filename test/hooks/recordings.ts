import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Call, Verdict } from "../../src/domain/policy/verdict.ts";
import { type Ambient, type Client, isProblem, type Reading } from "../../src/hooks/dialect.ts";
import { dialects } from "../../src/hooks/index.ts";

/** What agents were recorded to send, as it is read, and a verdict to answer with. */
const now_ms = Date.UTC(2026, 10, 20, 13);
export const ambient = (extra: Partial<Ambient> = {}): Ambient => {
  let n = 0;
  return { now_ms, random: () => `r${++n}`, ...extra };
};

export const recorded = (name: string): unknown[] =>
  readFileSync(join(import.meta.dirname, "../fixtures/hooks", `${name}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map(line => JSON.parse(line) as unknown);

export function read(client: Client, payload: unknown, extra: Partial<Ambient> = {}): Reading {
  const result = dialects[client].parse(payload, ambient(extra));
  if (isProblem(result)) throw new Error(result.problem);
  return result;
}

export const brief = (call: Call): string =>
  call.type === "shell" ? `$ ${call.command}` : `${call.server ?? "?"}/${call.tool} ${JSON.stringify(call.args)}`;
export const lines = (readings: Reading[]): string[] =>
  readings.map(({ phase, event, calls }) => [phase, event.type, ...calls.map(brief)].join(" | "));

const ok = "$ echo hi > ok.txt";
const rm = "$ rm -rf victim";
const hosts = 'demo/read_file {"path":"/etc/hosts"}';
const shadow = 'demo/read_file {"path":"/etc/shadow"}';
export const before = (what: string) => `before | tool.request | ${what}`;
export const servers = [{ name: "demo" }];

export const golden: [recording: string, client: Client, expected: string[]][] = [
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

export function verdict(decision: Verdict["decision"]): Verdict {
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
