import { answerClaudeForm, doubleUnderscore, readClaudeForm } from "./claude-form.ts";
import type { Dialect } from "./dialect.ts";
import { fieldsOf, textOf } from "./payload.ts";

/** Claude Code. Asks by itself; without a terminal its `ask` is a denial. */
export const claudeCode: Dialect = {
  client: "claude-code",
  asks: true,
  matches(payload) {
    const fields = fieldsOf(payload);
    return Boolean(textOf(fields?.["hook_event_name"]) && textOf(fields?.["transcript_path"])?.includes("/.claude/"));
  },
  parse: (payload, ambient) => readClaudeForm({ client: "claude-code", mcp: doubleUnderscore }, payload, ambient),
  answer: (reading, verdict) => answerClaudeForm(reading, verdict, true),
};
