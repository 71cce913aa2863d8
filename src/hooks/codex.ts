import { answerClaudeForm, doubleUnderscore, readClaudeForm } from "./claude-form.ts";
import type { Dialect } from "./dialect.ts";
import { fieldsOf, textOf } from "./payload.ts";

/**
 * Codex. `ask` is not supported (the call would run), so it becomes a denial. Its schema refuses unknown members.
 * `write_stdin` never reaches a hook: interactive shells have to be judged when they start.
 */
export const codex: Dialect = {
  client: "codex",
  asks: false,
  matches(payload) {
    const fields = fieldsOf(payload);
    const session = textOf(fields?.["transcript_path"])?.includes("/.codex/") ?? false;
    return Boolean(textOf(fields?.["hook_event_name"])) && (session || textOf(fields?.["turn_id"]) !== undefined);
  },
  parse: (payload, ambient) => readClaudeForm({ client: "codex", mcp: doubleUnderscore }, payload, ambient),
  answer: (reading, verdict) => answerClaudeForm(reading, verdict, false),
};
