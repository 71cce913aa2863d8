import { answerClaudeForm, doubleUnderscore, readClaudeForm } from "./claude-form.ts";
import type { Dialect } from "./dialect.ts";
import { fieldsOf, textOf } from "./payload.ts";

/** Qwen Code: Claude's form with Gemini's tool names. Whether `ask` works is not known, so it is a denial. */
export const qwenCode: Dialect = {
  client: "qwen-code",
  asks: false,
  matches(payload) {
    const fields = fieldsOf(payload);
    return Boolean(textOf(fields?.["hook_event_name"]) && textOf(fields?.["transcript_path"])?.includes("/.qwen/"));
  },
  parse: (payload, ambient) => readClaudeForm({ client: "qwen-code", mcp: doubleUnderscore }, payload, ambient),
  answer: (reading, verdict) => answerClaudeForm(reading, verdict, false),
};
