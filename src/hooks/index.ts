import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { cursor } from "./cursor.ts";
import type { Client, Dialect } from "./dialect.ts";
import { geminiCli } from "./gemini-cli.ts";
import { kiro } from "./kiro.ts";
import { opencode } from "./opencode.ts";
import { qwenCode } from "./qwen-code.ts";
import { windsurf } from "./windsurf.ts";

/** Adding an agent: one file, one line here, one recorded payload. */
export const dialects: Record<Client, Dialect> = {
  "claude-code": claudeCode,
  codex,
  "gemini-cli": geminiCli,
  "copilot-cli": copilotCli,
  "qwen-code": qwenCode,
  cursor,
  opencode,
  cline,
  windsurf,
  kiro,
};

export const isClient = (name: string): name is Client => Object.hasOwn(dialects, name);
