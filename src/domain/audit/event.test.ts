import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { judgedAs, type ReadEvent, readEvent } from "./event.ts";

const good = { id: "e-1", time: "2026-01-01T10:00:00.123Z", type: "shell.exec" };
const read = (event: unknown) => readEvent(event, type => type === "agent.removed");
const taken = (event: unknown) => read(event) as ReadEvent;

describe("an event", () => {
  test("needs id, time and type, and is stored as sent", () => {
    expect(read(good)).toEqual({ event: good, facets: {}, body: JSON.stringify(good) });
  });

  test("says what statistics ask for", () => {
    const action = { kind: "mcp", server: "github", tool: "create_issue", args: { title: "x" } };
    const event = { ...good, client: "codex", decision: "BLOCK", decision_id: "dec_1", rules: ["a.b"], action };
    expect(taken(event)).toMatchObject({
      facets: { client: "codex", rules: ["a.b"], server: "github", tool: "create_issue", echo: true },
    });
  });

  test("of a decision is no echo of itself; the end of an MCP call names its beginning", () => {
    expect(taken({ ...good, type: "policy.decision", decision: "BLOCK", decision_id: "dec_1" }).facets).toEqual({});
    const ran = { ...good, type: "mcp.call", id: "cursor:s:t:after", tool_use_id: "t", action: { kind: "mcp" } };
    expect(judgedAs(ran)).toBe("cursor:s:t:before");
    for (const change of [{ action: { kind: "shell" } }, { id: "cursor:s:t:before" }])
      expect(judgedAs({ ...ran, ...change })).toBeUndefined();
  });

  test("keeps members nobody knows under attributes, losing none", () => {
    const event = { ...good, colour: "red", size: 1, attributes: { size: 2 } };
    expect(JSON.parse(taken(event).body)).toEqual({
      ...good,
      attributes: { size: 2, colour: "red", "event.size": 1 },
    });
    const odd = JSON.parse('{"id":"e","time":"2026-01-01T10:00:00Z","type":"t","__proto__":{"a":1}}');
    expect(taken(odd).body).toContain('"attributes":{"__proto__":{"a":1}}');
  });

  test.each([
    ["id", ""],
    ["id", "a b"],
    ["id", "x".repeat(129)],
    ["id", 7],
    ["time", "yesterday"],
    ["time", "2026-13-01T10:00:00Z"],
    ["time", "2026-01-01 10:00:00Z"],
    ["time", 1700000000],
    ["type", "Shell.Exec"],
    ["type", 'a"b'],
    ["type", ""],
    ["decision", "MAYBE"],
    ["rules", "a"],
    ["exit_code", 1.5],
    ["duration_ms", -1],
    ["session_id", "x".repeat(1_025)],
    ["client", "x".repeat(65)],
    ["client", "Claude Code"],
    ["action", { command: "ls" }],
    ["action", { kind: "shell", command: 7 }],
    ["action", { kind: "shell", command: "x".repeat(32_769) }],
    ["attributes", []],
  ])("with a bad %s is explained, its value not repeated: %j", (member, value) => {
    const outcome = read({ ...good, [member]: value });
    const fault = "fault" in outcome ? outcome.fault : undefined;
    expect(fault?.error).toBe("invalid_event");
    expect(fault?.message).toStartWith(member);
    if (typeof value === "string" && value.length > 3) expect(fault?.message).not.toContain(value);
  });

  test("cannot pass for what only the server writes", () => {
    expect(read({ ...good, type: "agent.removed" })).toMatchObject({ fault: { error: "reserved_type" } });
  });

  test("is at most 64 KiB of UTF-8", () => {
    const sized = (chars: number, char: string) => read({ ...good, attributes: { a: char.repeat(chars) } });
    expect(sized(60_000, "x")).toHaveProperty("body");
    expect(sized(66_000, "x")).toMatchObject({ fault: { error: "too_large" } });
    expect(sized(30_000, "€")).toMatchObject({ fault: { error: "too_large" } });
    expect(sized(20_000, "€")).toHaveProperty("body");
  });

  test("whatever comes is taken or explained, never thrown at", () => {
    const some = { id: fc.constant("e"), time: fc.constant(good.time), type: fc.constant("t"), extra: fc.jsonValue() };
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record(some)), value => {
        const outcome = read(value);
        expect("fault" in outcome ? outcome.fault.message : JSON.parse(outcome.body)).toBeTruthy();
      }),
    );
    let deep: unknown = 1;
    for (let i = 0; i < 65; i++) deep = [deep];
    expect(read({ ...good, attributes: { deep } })).toHaveProperty("fault");
  });
});
