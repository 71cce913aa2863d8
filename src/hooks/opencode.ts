import type { World } from "../domain/policy/verdict.ts";
import { json, quiet } from "./claude-form.ts";
import type { Ambient, Dialect, Phase } from "./dialect.ts";
import { reading } from "./event.ts";
import { effect, explanation } from "./explanation.ts";
import { splitMcpName } from "./mcp-name.ts";
import { argumentsOf, type Fields, fieldsOf, present, textOf } from "./payload.ts";
import { describeMcp, describeTool } from "./tools.ts";

const phases: Record<string, [Phase, type?: string]> = {
  before: ["before"],
  after: ["after"],
  start: ["session", "session.start"],
};

/**
 * opencode, through the plugin that `gatehouse install opencode` writes: it hands over `{ev, input:{tool, sessionID, callID},
 * args, cwd}` and throws the `reason` of `{"decision":"deny"}`. It cannot ask.
 */
export const opencode: Dialect = {
  client: "opencode",
  asks: false,
  matches: payload => textOf(fieldsOf(payload)?.["ev"]) !== undefined,
  parse(payload, ambient) {
    const fields = fieldsOf(payload);
    const hook = textOf(fields?.["ev"]);
    if (!fields || !hook) return { problem: "ev is missing" };
    const [phase, type] = phases[hook] ?? (["other"] as const);
    const input = fieldsOf(fields["input"]) ?? {};
    const tool = textOf(input["tool"]);
    if ((phase === "before" || phase === "after") && !tool) return { problem: "input.tool is missing" };
    return reading(
      {
        client: "opencode",
        phase,
        hook,
        ...present({ type }),
        session_id: textOf(input["sessionID"]),
        tool_use_id: textOf(input["callID"]),
        ...(tool ? describe(tool, fields, ambient) : {}),
        attributes: { hook, cwd: textOf(fields["cwd"]), version: textOf(fields["version"]) },
      },
      ambient,
    );
  },
  answer(read, verdict) {
    const does = read.phase === "before" ? effect(verdict, false) : "go";
    return verdict && does === "deny" ? json({ decision: "deny", reason: explanation(verdict, false) }) : quiet;
  },
};

/** opencode's own tools with an underscore in their name; every other such name is `<server>_<tool>`. */
const withUnderscore = new Set(["apply_patch", "web_fetch", "plan_exit", "plan_enter"]);

function describe(tool: string, fields: Fields, ambient: Ambient) {
  const world: World = { client: "opencode", ...present({ cwd: textOf(fields["cwd"]) }) };
  const args = argumentsOf(fields["args"] ?? fieldsOf(fields["input"])?.["args"]);
  if (!tool.includes("_") || withUnderscore.has(tool)) return describeTool(tool, args, world);
  const { server, tool: name } = splitMcpName(tool, "_", ambient.servers);
  return describeMcp(server, name, args, world);
}
