import type { McpCall } from "../../verdict.ts";
import type { Machine } from "../run/machine.ts";

/** An MCP call: its arguments, of whatever shape, read for paths, hosts, secrets, statements and commands. */
export function mcp(m: Machine, call: McpCall): void {
  m.subject({
    kind: "mcp",
    server: call.server ?? "",
    tool: call.tool,
    input: call.args,
    hints: { destructive: call.hints?.destructive === true, open_world: call.hints?.open_world === true },
    via: [],
  });
}
