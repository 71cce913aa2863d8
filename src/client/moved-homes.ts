import { join } from "node:path";
import type { Env } from "./folder.ts";

/** Where a path below the home lies when a variable has moved its agent's folder; undefined: where it always does. */
export type Moved = (path: string) => string | undefined;

/**
 * Below the home: what a variable moves, by its name and, where it names a home of its own, the folder in it.
 * Read from the agents' own programs (Claude Code 2.1.329, Codex 0.169.0, Gemini CLI 0.61.0, Qwen Code 0.15.10,
 * Copilot CLI 1.0.102) and, for opencode, from the XDG Base Directory Specification.
 */
const moves: readonly [path: string, variable: string, below?: string][] = [
  [".claude", "CLAUDE_CONFIG_DIR"],
  [".claude.json", "CLAUDE_CONFIG_DIR", ".claude.json"],
  [".codex", "CODEX_HOME"],
  [".gemini", "GEMINI_CLI_HOME", ".gemini"],
  [".qwen", "QWEN_HOME"],
  [".copilot", "COPILOT_HOME"],
  [".config/opencode", "XDG_CONFIG_HOME", "opencode"],
  [".local/share/opencode", "XDG_DATA_HOME", "opencode"],
];

/** A relative folder is one of the present folder to most agents: it means another at every start, and is not followed. */
export const movedBy =
  (env: Env): Moved =>
  path => {
    for (const [from, variable, below = ""] of moves) {
      const folder = env[variable];
      if (!folder?.startsWith("/") && !/^[A-Za-z]:[\\/]/.test(folder ?? "")) continue;
      if (path === from || path.startsWith(`${from}/`)) return join(folder!, below, path.slice(from.length));
    }
    return undefined;
  };
