import { json, quiet, readClaudeForm } from "./claude-form.ts";
import type { Ambient, Dialect } from "./dialect.ts";
import { effect, explanation } from "./explanation.ts";
import { type McpName, splitMcpName } from "./mcp-name.ts";
import { type Fields, fieldsOf, textOf } from "./payload.ts";

/** Gemini CLI: `BeforeTool`/`AfterTool`. An `ask` without a terminal hangs until killed, so it becomes a denial. */
export const geminiCli: Dialect = {
  client: "gemini-cli",
  asks: false,
  matches(payload) {
    const fields = fieldsOf(payload);
    return Boolean(textOf(fields?.["hook_event_name"]) && textOf(fields?.["transcript_path"])?.includes("/.gemini/"));
  },
  parse: (payload, ambient) => readClaudeForm({ client: "gemini-cli", mcp, exitCode }, payload, ambient),
  answer(reading, verdict) {
    const does = reading.phase === "before" ? effect(verdict, false) : "go";
    if (does === "go" || !verdict) return quiet;
    const text = explanation(verdict, false);
    return does === "warn" ? json({ systemMessage: text }) : json({ decision: "deny", reason: text });
  },
};

/** `mcp_context` names both; the joined `mcp_<server>_<tool>` alone is ambiguous without the declared servers. */
function mcp(name: string, payload: Fields, ambient: Ambient): McpName | undefined {
  const context = fieldsOf(payload["mcp_context"]);
  const server = textOf(context?.["server_name"]);
  const tool = textOf(context?.["tool_name"]);
  if (server && tool) return { server, tool };
  return name.startsWith("mcp_") ? splitMcpName(name.slice(4).replace(/^_/, ""), "_", ambient.servers) : undefined;
}

/** The shell tool writes `Exit Code: 1` into what the model reads. */
function exitCode(response: unknown): number | undefined {
  const text = textOf(fieldsOf(response)?.["llmContent"]);
  const found = text && /^Exit Code: (\d{1,3})$/m.exec(text)?.[1];
  return found ? Number(found) : undefined;
}
