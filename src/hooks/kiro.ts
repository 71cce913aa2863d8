import { readClaudeForm } from "./claude-form.ts";
import type { Dialect } from "./dialect.ts";
import { answerByExit } from "./exit-two.ts";
import type { McpName } from "./mcp-name.ts";
import { fieldsOf, textOf } from "./payload.ts";

/** Kiro (documented form, not recorded): Claude's members, tools `fs_read`, `fs_write`, `execute_bash`, `@server/tool`. */
export const kiro: Dialect = {
  client: "kiro",
  asks: false,
  matches(payload) {
    const fields = fieldsOf(payload);
    const hook = textOf(fields?.["hook_event_name"]);
    return (
      hook !== undefined &&
      /^(agentSpawn|userPromptSubmit|preToolUse|postToolUse|stop)$/.test(hook) &&
      !fields?.["conversation_id"]
    );
  },
  parse: (payload, ambient) => readClaudeForm({ client: "kiro", mcp }, payload, ambient),
  answer: answerByExit,
};

function mcp(name: string): McpName | undefined {
  const [, server, tool] = /^@([^/]+)\/(.+)$/.exec(name) ?? [];
  return server && tool ? { server, tool } : undefined;
}
