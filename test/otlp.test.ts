import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type Ambient, type Event, isProblem } from "../src/hooks/dialect.ts";
import { dialects } from "../src/hooks/index.ts";
import { eventsMax, readOtlp, type Signal, type Telemetry } from "../src/hooks/otlp.ts";
import { grace_ms, type Sighting, unhookedCalls } from "../src/domain/posture/unhooked.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const ambient: Ambient & { sha256: typeof sha256 } = {
  now_ms: 0,
  random: () => "r",
  servers: [{ name: "demo" }],
  sha256,
};
const lines = (path: string): unknown[] =>
  readFileSync(join(import.meta.dir, "fixtures", path), "utf8")
    .trim()
    .split("\n")
    .map(line => JSON.parse(line) as unknown);

function readAll(name: string, signal: Signal): Event[] {
  return lines(`otlp/${name}.jsonl`).flatMap(body => {
    const result = readOtlp(signal, body, ambient);
    if ("problem" in result) throw new Error(result.problem);
    return result.events;
  });
}

const brief = ({ type, id, action, exit_code }: Event): string => {
  const what = action?.kind === "shell" ? `$ ${action.command}` : `${action?.server}/${action?.tool}`;
  return [type, id.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, "SESSION"), what, exit_code ?? "-"].join(" | ");
};
const calls = (events: Event[]) => events.filter(event => event.action).map(brief);

describe("recorded telemetry", () => {
  test("Claude Code: executed calls bear the id of their after-hook", () => {
    expect(calls(readAll("claude-code-logs", "logs"))).toEqual([
      "shell.exec | claude-code:SESSION:toolu_1:after | $ echo hi > ok.txt | -",
      "mcp.call | claude-code:SESSION:toolu_3:after | demo/read_file | -",
    ]);
    const hooked = lines("hooks/claude-code-2.1.329.jsonl").flatMap(payload => {
      const read = dialects["claude-code"].parse(payload, ambient);
      return isProblem(read) || read.phase !== "after" ? [] : [read.event.id];
    });
    const told = readAll("claude-code-logs", "logs").filter(event => event.action);
    expect(told.map(event => event.id)).toEqual(hooked);
  });

  test("Codex: a refused call did not run; results give the exit status", () => {
    expect(calls(readAll("codex-logs", "logs"))).toEqual([
      "shell.exec | codex:SESSION:call_1:after | $ echo hi > ok.txt | 0",
      "mcp.call | codex:SESSION:call_3:after | demo/read_file | -",
      "mcp.call | codex:SESSION:call_4:after | demo/read_file | -",
    ]);
    const start = readAll("codex-logs", "logs").find(event => event.type === "telemetry.conversation_starts");
    expect(start?.attributes).toMatchObject({ approval_policy: "never", sandbox_policy: "danger-full-access" });
  });

  test("Gemini: log and span of one call are one event", () => {
    const logs = readAll("gemini-logs", "logs").filter(event => event.action);
    const spans = readAll("gemini-traces", "traces").filter(event => event.action);
    expect(logs.map(event => event.id)).toEqual(spans.map(event => event.id));
    expect(logs.map(event => event.type)).toEqual(Array(4).fill("telemetry.tool_call"));
    expect(new Set(logs.map(event => event.id)).size).toBe(4);
    expect(logs[2]?.action).toMatchObject({ kind: "mcp", server: "demo", tool: "read_file" });
  });

  test("Copilot: hashed server names are found among the declared", () => {
    const [shell, mcp, ...rest] = readAll("copilot-traces", "traces");
    expect(rest).toEqual([]);
    expect(shell).toMatchObject({
      type: "telemetry.tool_call",
      exit_code: 0,
      trace_id: "2a4c20d32066bd28d8db2a69455a7ddb",
    });
    expect(mcp?.action).toMatchObject({ kind: "mcp", server: "demo" });
  });

  test("metrics become one usage event a session", () => {
    const [usage, ...rest] = readAll("claude-code-metrics", "metrics");
    expect(rest).toEqual([]);
    expect(usage).toMatchObject({ type: "telemetry.usage", client: "claude-code" });
    expect(usage?.attributes).toMatchObject({ "claude_code.session.count": 1 });
    expect(usage?.attributes?.["claude_code.token.usage.input"]).toBeGreaterThan(0);
  });

  test("sent again it yields the same ids; what people said and models answered is left out", () => {
    for (const [name, signal] of [
      ["claude-code-logs", "logs"],
      ["codex-logs", "logs"],
      ["gemini-logs", "logs"],
      ["copilot-traces", "traces"],
    ] as const) {
      const ids = readAll(name, signal).map(event => event.id);
      expect(readAll(name, signal).map(event => event.id)).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
      expect(JSON.stringify(readAll(name, signal))).not.toMatch(/gen_ai\.(input|output|system)|"prompt"|CONTENT OF/);
    }
  });
});

describe("a call that bears no id of its own", () => {
  const call = (client: string, attributes: Record<string, string>, more: object = {}) => ({
    resourceLogs: [
      {
        resource: { attributes: [{ key: "service.name", value: { stringValue: client } }] },
        scopeLogs: [
          {
            logRecords: [
              {
                timeUnixNano: "1795178154556000000",
                attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
                ...more,
              },
            ],
          },
        ],
      },
    ],
  });
  const idOf = (body: unknown, random: string) =>
    (readOtlp("logs", body, { ...ambient, random: () => random }) as Telemetry).events[0]?.id;

  test("has the same one when it is sent again, and another than the call before", () => {
    const forms = [
      ["gemini-cli", { "event.name": "gemini_cli.tool_call", function_name: "read_file", success: "true" }],
      ["claude-code", { "event.name": "tool_result", tool_name: "Bash", success: "true" }],
      ["codex", { "event.name": "codex.tool_result", tool_name: "exec_command", success: "true" }],
    ] as const;
    for (const [client, attributes] of forms) {
      const first = idOf(call(client, attributes), "a");
      expect(first).toStartWith(`otel:${client}:`);
      expect(idOf(call(client, attributes), "b")).toBe(first);
      expect(idOf(call(client, attributes, { timeUnixNano: "1795178154556000001" }), "a")).not.toBe(first);
      expect(idOf(call(client, { ...attributes, "session.id": "other" }), "a")).not.toBe(first);
    }
  });
});

describe("bounds and bad input", () => {
  const record = (n: number) => ({
    timeUnixNano: "1795178154556000000",
    attributes: [
      { key: "event.name", value: { stringValue: "tool_decision" } },
      { key: "event.sequence", value: { intValue: String(n) } },
    ],
  });
  const body = (logRecords: unknown[]) => ({
    resourceLogs: [
      {
        resource: { attributes: [{ key: "service.name", value: { stringValue: "claude-code" } }] },
        scopeLogs: [{ logRecords }],
      },
    ],
  });

  test("more records than an events request takes are dropped and counted", () => {
    const many = Array.from({ length: eventsMax + 7 }, (_, n) => record(n));
    const result = readOtlp("logs", body(many), ambient) as Telemetry;
    expect([result.events.length, result.dropped]).toEqual([eventsMax, 7]);
  });

  test("an unknown service is dropped, another signal's body refused", () => {
    const foreign = JSON.parse(JSON.stringify(body([record(1)])).replace("claude-code", "postgres")) as unknown;
    expect(readOtlp("logs", foreign, ambient)).toEqual({ events: [], dropped: 1 });
    expect(readOtlp("traces", body([]), ambient)).toHaveProperty("problem");
  });

  test("nothing makes it throw", () => {
    const any = fc.jsonValue();
    const odd = fc.record({
      resource: any,
      scopeLogs: fc.array(fc.record({ logRecords: fc.array(fc.oneof(any, fc.constant(record(1)))) })),
      scopeSpans: any,
      scopeMetrics: fc.oneof(
        any,
        fc.array(fc.record({ metrics: fc.array(fc.record({ sum: fc.record({ dataPoints: any }) })) })),
      ),
    });
    fc.assert(
      fc.property(fc.array(odd), fc.constantFrom<Signal>("logs", "traces", "metrics"), (groups, signal) => {
        const result = readOtlp(
          signal,
          { resourceLogs: groups, resourceSpans: groups, resourceMetrics: groups },
          ambient,
        );
        expect(result).toHaveProperty("dropped");
      }),
      { numRuns: 100 },
    );
  });
});

describe("calls no hook announced", () => {
  const at = (tool: string, extra: Partial<Sighting> = {}): Sighting => ({
    client: "codex",
    session_id: "s",
    tool,
    time_ms: 1000,
    received_ms: 1000,
    ...extra,
  });
  const late = 1000 + grace_ms;
  const names = (found: Sighting[]) => found.map(each => each.tool_use_id ?? each.tool);

  test("joined on the call id, also when the names differ", () => {
    const executed = [at("exec_command", { tool_use_id: "1" }), at("write_stdin", { tool_use_id: "2" })];
    expect(names(unhookedCalls(executed, [at("Bash", { tool_use_id: "1" })], late))).toEqual(["2"]);
    expect(names(unhookedCalls(executed, [at("Bash", { tool_use_id: "1", session_id: "other" })], late))).toEqual([
      "1",
      "2",
    ]);
  });

  test("without call ids as many as were announced are covered", () => {
    const executed = [at("bash"), at("bash", { time_ms: 2000 }), at("demo/read_file")];
    const found = unhookedCalls(executed, [at("bash"), at("demo/read_file")], late + 1000);
    expect(found).toEqual([at("bash", { time_ms: 2000 })]);
  });

  test("a hook has its time to arrive", () => {
    expect(unhookedCalls([at("bash")], [], late - 1)).toEqual([]);
    expect(unhookedCalls([at("bash")], [], late)).toHaveLength(1);
  });

  test("the time is the server's: an agent's clock hides no call, and accuses nobody early", () => {
    for (const time_ms of [0, 1e15]) {
      expect(unhookedCalls([at("bash", { time_ms })], [], late - 1)).toEqual([]);
      expect(unhookedCalls([at("bash", { time_ms })], [], late)).toHaveLength(1);
    }
  });
});
