import { join } from "node:path";
import { jsonHooks } from "./json-hooks.ts";
import { clineHook, opencodePlugin, ownFile } from "./own-file.ts";
import { CannotInstall, commandLine, type InstallScope, type Places, type Program, type Recipe } from "./recipe.ts";
import { tomlBlock } from "./toml-block.ts";

/** Our own watchdog ends a hook after 2 s: the agent's timeout is only the net below it. */
const timeout_s = 5;
const userOrProject: InstallScope[] = ["user", "project"];

const each = <T>(events: readonly string[], entry: (event: string) => T): Record<string, T> =>
  Object.fromEntries(events.map(event => [event, entry(event)]));

/** `base` below the home or the project. */
const below = (scope: InstallScope, { home, project }: Places, ...path: string[]): string =>
  join(scope === "project" ? project : home, ...path);

const claudeManaged: Record<string, string> = {
  linux: "/etc/claude-code/managed-settings.d/50-gatehouse.json",
  darwin: "/Library/Application Support/ClaudeCode/managed-settings.d/50-gatehouse.json",
  win32: "C:\\Program Files\\ClaudeCode\\managed-settings.d\\50-gatehouse.json",
};

const claudeCode: Recipe = {
  signs: [".claude", ".claude.json"],
  scopes: ["user", "project", "managed"],
  edits(scope, places, program) {
    const path =
      scope === "managed" ? claudeManaged[places.platform]! : below(scope, places, ".claude", "settings.json");
    const run = {
      type: "command",
      command: program.path,
      args: [...program.args, "hook", "claude-code"],
      timeout: timeout_s,
    };
    const before = { matcher: "*", hooks: [{ ...run, onFailure: "block" }] };
    const after = each(["PostToolUse", "PostToolUseFailure"], () => ({ matcher: "*", hooks: [run] }));
    const session = each(["SessionStart", "SessionEnd"], () => ({ hooks: [run] }));
    return [jsonHooks({ client: "claude-code", path, hooks: { PreToolUse: before, ...after, ...session } })];
  },
  holes: [
    "`claude --bare` and `--setting-sources` without this scope skip the hook; at managed scope they do not.",
    "Before a recent version `onFailure` is not known, and a crashed hook lets the call through.",
  ],
};

const codexEvents = ["PreToolUse", "PostToolUse", "SessionStart"];

const codex: Recipe = {
  signs: [".codex"],
  scopes: ["user", "project", "managed"],
  edits(scope, places, program) {
    const run = { type: "command", command: commandLine(program, "hook", "codex"), timeout: timeout_s };
    if (scope === "managed") return [tomlBlock(codexManaged(places), codexTables(run))];
    const hooks = each(codexEvents, () => ({ hooks: [run] }));
    return [jsonHooks({ client: "codex", path: below(scope, places, ".codex", "hooks.json"), hooks })];
  },
  holes: [
    "Codex skips hooks without a word until they are trusted: start `codex` once and trust them with /hooks, or install at managed scope.",
    "What is typed into a running process (`write_stdin`) passes by every hook: interactive shells are judged when they start.",
    "A crashed or slow hook lets the call through.",
  ],
};

function codexManaged({ platform }: Places): string {
  if (platform === "win32") throw new CannotInstall("Codex has no managed hooks in a file on Windows that we know of.");
  return "/etc/codex/requirements.toml";
}

const codexTables = (run: Record<string, string | number>): string =>
  codexEvents
    .map(event => {
      const lines = Object.entries(run).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
      return [`[[hooks.${event}]]`, `[[hooks.${event}.hooks]]`, ...lines].join("\n");
    })
    .join("\n\n");

const geminiForm =
  (client: "gemini-cli" | "qwen-code", folder: string, events: string[]): Recipe["edits"] =>
  (scope, places, program) => {
    const run = {
      name: "gatehouse",
      type: "command",
      command: commandLine(program, "hook", client),
      timeout: timeout_s * 1000,
    };
    const hooks = each(events, event => (/Tool/.test(event) ? { matcher: "*", hooks: [run] } : { hooks: [run] }));
    return [jsonHooks({ client, path: below(scope, places, folder, "settings.json"), hooks })];
  };

const geminiCli: Recipe = {
  signs: [".gemini/settings.json", ".gemini/installation_id", ".gemini/oauth_creds.json"],
  scopes: userOrProject,
  edits: geminiForm("gemini-cli", ".gemini", ["BeforeTool", "AfterTool", "SessionStart", "SessionEnd"]),
  holes: [
    "A crashed or slow hook lets the call through.",
    "Gemini CLI cannot ask without hanging: what needs approval is refused.",
  ],
};

const qwenCode: Recipe = {
  signs: [".qwen"],
  scopes: userOrProject,
  edits: geminiForm("qwen-code", ".qwen", ["PreToolUse", "PostToolUse", "SessionStart", "SessionEnd"]),
  holes: ["A crashed or slow hook lets the call through."],
};

const copilotCli: Recipe = {
  signs: [".copilot"],
  scopes: userOrProject,
  edits(scope, places, program) {
    const path =
      scope === "project"
        ? join(places.project, ".github", "hooks", "gatehouse.json")
        : join(places.home, ".copilot", "hooks", "gatehouse.json");
    const hooks = each(["preToolUse", "postToolUse", "sessionStart", "sessionEnd"], event => {
      const line = commandLine(program, "hook", "copilot-cli", event);
      return { type: "command", bash: line, powershell: `& ${line}`, timeoutSec: timeout_s };
    });
    return [jsonHooks({ client: "copilot-cli", path, fresh: { version: 1 }, hooks })];
  },
  holes: [
    "Hooks of a repository run in trusted folders only: install at user scope.",
    "A slow hook lets the call through.",
  ],
};

const cursor: Recipe = {
  signs: [".cursor"],
  scopes: userOrProject,
  edits(scope, places, program) {
    const command = commandLine(program, "hook", "cursor");
    // Sources disagree on the unit: 60 is a minute in seconds and still enough in milliseconds.
    const before = each(["beforeShellExecution", "beforeMCPExecution", "beforeReadFile"], () => ({
      command,
      timeout: 60,
      failClosed: true,
    }));
    const after = each(
      ["afterShellExecution", "afterMCPExecution", "afterFileEdit", "sessionStart", "sessionEnd"],
      () => ({ command, timeout: 60 }),
    );
    return [
      jsonHooks({
        client: "cursor",
        path: below(scope, places, ".cursor", "hooks.json"),
        fresh: { version: 1 },
        hooks: { ...before, ...after },
      }),
    ];
  },
  holes: [
    "Written by its documentation, not tried on a running Cursor.",
    "File edits are reported after the fact; Cursor has no hook before them.",
  ],
};

const opencode: Recipe = {
  signs: [".config/opencode", ".local/share/opencode"],
  scopes: userOrProject,
  edits(scope, places, program) {
    const path =
      scope === "project"
        ? join(places.project, ".opencode", "plugin", "gatehouse.js")
        : join(places.home, ".config", "opencode", "plugin", "gatehouse.js");
    return [ownFile(path, opencodePlugin([program.path, ...program.args]))];
  },
  holes: [
    "A plugin that cannot be loaded is left out without a word: `gatehouse doctor` shows when it was last heard of.",
  ],
};

const clineEvents = ["PreToolUse", "PostToolUse", "TaskStart", "TaskComplete"];
const cline: Recipe = {
  signs: [".cline"],
  scopes: userOrProject,
  edits(scope, places, program) {
    const folder =
      scope === "project" ? join(places.project, ".clinerules", "hooks") : join(places.home, ".cline", "hooks");
    return clineEvents.map(event =>
      ownFile(join(folder, event), clineHook(commandLine(program, "hook", "cline"), event), { mode: 0o755 }),
    );
  },
  holes: ["A refused call ends Cline's whole run.", "A crashed or slow hook lets the call through."],
};

const windsurf: Recipe = {
  signs: [".codeium/windsurf"],
  scopes: userOrProject,
  edits(scope, places, program) {
    const path =
      scope === "project"
        ? join(places.project, ".windsurf", "hooks.json")
        : join(places.home, ".codeium", "windsurf", "hooks.json");
    const events = [
      "pre_run_command",
      "pre_mcp_tool_use",
      "pre_read_code",
      "pre_write_code",
      "post_run_command",
      "post_mcp_tool_use",
      "post_write_code",
    ];
    const hooks = each(events, () => ({ command: commandLine(program, "hook", "windsurf"), show_output: false }));
    return [jsonHooks({ client: "windsurf", path, hooks })];
  },
  holes: [
    "Written by its documentation, not tried on a running Windsurf.",
    "A crashed hook lets the call through; what needs approval is refused.",
  ],
};

const kiro: Recipe = {
  signs: [".kiro"],
  scopes: userOrProject,
  edits(scope, places, program) {
    const command = commandLine(program, "hook", "kiro");
    const hooks = ["PreToolUse", "PostToolUse"].map(trigger => ({
      name: `gatehouse-${trigger === "PreToolUse" ? "before" : "after"}`,
      trigger,
      action: { type: "command", command },
      timeout: timeout_s,
      enabled: true,
    }));
    const path = below(scope, places, ".kiro", "hooks", "gatehouse.json");
    return [ownFile(path, `${JSON.stringify({ version: "v1", hooks }, null, 2)}\n`, { sign: '"gatehouse-before"' })];
  },
  holes: [
    "Written by its documentation, not tried on a running Kiro.",
    "Kiro before IDE 1.0 and CLI 3 knows no hooks in files of their own: there they stand in each agent file, added by hand.",
    "A crashed hook lets the call through; what needs approval is refused.",
  ],
};

export const recipes: Record<string, Recipe> = {
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

export type { Places, Program };
