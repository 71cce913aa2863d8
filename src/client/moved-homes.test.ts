import { expect, test } from "bun:test";
import { movedBy } from "./moved-homes.ts";

const cases: [path: string, env: Record<string, string>, place: string | undefined][] = [
  [".codex/hooks.json", { CODEX_HOME: "/srv/codex" }, "/srv/codex/hooks.json"],
  [".codex", { CODEX_HOME: "/srv/codex/" }, "/srv/codex/"],
  [".claude/settings.json", { CLAUDE_CONFIG_DIR: "/c" }, "/c/settings.json"],
  [".claude.json", { CLAUDE_CONFIG_DIR: "/c" }, "/c/.claude.json"],
  [".gemini/settings.json", { GEMINI_CLI_HOME: "/g" }, "/g/.gemini/settings.json"],
  [".config/opencode/plugin/gatehouse.js", { XDG_CONFIG_HOME: "/x" }, "/x/opencode/plugin/gatehouse.js"],
  [".codexes/hooks.json", { CODEX_HOME: "/srv/codex" }, undefined],
  [".codex/hooks.json", { CODEX_HOME: "" }, undefined],
  [".codex/hooks.json", { CODEX_HOME: "relative" }, undefined],
  [".cursor/hooks.json", { CODEX_HOME: "/srv/codex" }, undefined],
];

test.each(cases)("%s with %j", (path, env, place) => {
  expect(movedBy(env)(path)).toBe(place);
});
