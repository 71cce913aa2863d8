import { join } from "node:path";
import { codexTrust, isTrustedProject } from "./codex-trust.ts";
import { jsonHooks } from "./json-hooks.ts";
import { clineHook, opencodePlugin, ownFile } from "./own-file.ts";
import {
  CannotInstall,
  commandLine,
  inHome,
  type InstallScope,
  type Places,
  type Program,
  type Recipe,
} from "./recipe.ts";
import { tomlBlock } from "./toml-block.ts";

/** Our own watchdog ends a hook after 2 s: the agent's timeout is only the net below it. */
const timeout_s = 5;
const userOrProject: InstallScope[] = ["user", "project"];
const allScopes: InstallScope[] = ["user", "project", "managed"];

const each = <T>(events: readonly string[], entry: (event: string) => T): Record<string, T> =>
  Object.fromEntries(events.map(event => [event, entry(event)]));

/** Where an administrator's settings lie, which no person and no repository switches off. */
const managedFiles: Record<string, Record<string, string>> = {
  "claude-code": {
    linux: "/etc/claude-code/managed-settings.d/50-gatehouse.json",
    darwin: "/Library/Application Support/ClaudeCode/managed-settings.d/50-gatehouse.json",
    win32: "C:\\Program Files\\ClaudeCode\\managed-settings.d\\50-gatehouse.json",
  },
  codex: { linux: "/etc/codex/requirements.toml", darwin: "/etc/codex/requirements.toml" },
  "qwen-code": {
    linux: "/etc/qwen-code/settings.json",
    darwin: "/Library/Application Support/QwenCode/settings.json",
    win32: "C:\\ProgramData\\qwen-code\\settings.json",
  },
  cursor: {
    linux: "/etc/cursor/hooks.json",
    darwin: "/Library/Application Support/Cursor/hooks.json",
    win32: "C:\\ProgramData\\Cursor\\hooks.json",
  },
};

/** The administrator's file of `client`, else `path` below the home or the project. */
function placed(client: string, scope: InstallScope, places: Places, ...path: string[]): string {
  if (scope === "project") return join(places.project, ...path);
  if (scope === "user") return inHome(places, path.join("/"));
  const managed = managedFiles[client]?.[places.platform];
  if (!managed) throw new CannotInstall(`We know of no managed hooks of ${client} on ${places.platform}.`);
  return managed;
}

const claudeCode: Recipe = {
  signs: [".claude", ".claude.json"],
  scopes: allScopes,
  edits(scope, places, program) {
    const path = placed("claude-code", scope, places, ".claude", "settings.json");
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

const codexHooks = (scope: InstallScope, places: Places): string =>
  placed("codex", scope, places, ".codex", "hooks.json");

const codex: Recipe = {
  signs: [".codex"],
  scopes: allScopes,
  edits(scope, places, program) {
    const run = { type: "command", command: commandLine(program, "hook", "codex"), timeout: timeout_s };
    const path = codexHooks(scope, places);
    if (scope === "managed") return [tomlBlock(path, codexTables(run))];
    return [jsonHooks({ client: "codex", path, hooks: each(codexEvents, () => ({ hooks: [run] })) })];
  },
  trust(scope, places, read) {
    if (scope === "managed") return "trusted";
    const config = read(inHome(places, ".codex/config.toml")) ?? "";
    if (scope === "project" && !isTrustedProject(config, places.project)) return "untrusted";
    const path = codexHooks(scope, places);
    return codexTrust(path, read(path) ?? "", config);
  },
  holes: [
    "Codex skips hooks without a word until they are trusted: start `codex` once and trust them with /hooks, or install at managed scope.",
    "What is typed into a running process (`write_stdin`) passes by every hook: interactive shells are judged when they start.",
    "A crashed or slow hook lets the call through.",
  ],
};

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
    return [jsonHooks({ client, path: placed(client, scope, places, folder, "settings.json"), hooks })];
  };

const geminiCli: Recipe = {
  signs: [".gemini/settings.json", ".gemini/installation_id", ".gemini/oauth_creds.json"],
  // 0.61.0 runs no hook of its system settings: measured.
  scopes: userOrProject,
  edits: geminiForm("gemini-cli", ".gemini", ["BeforeTool", "AfterTool", "SessionStart", "SessionEnd"]),
  holes: [
    "A crashed or slow hook lets the call through.",
    "Gemini CLI cannot ask without hanging: what needs approval is refused.",
  ],
};

const qwenCode: Recipe = {
  signs: [".qwen"],
  scopes: allScopes,
  edits: geminiForm("qwen-code", ".qwen", ["PreToolUse", "PostToolUse", "SessionStart", "SessionEnd"]),
  holes: ["A crashed or slow hook lets the call through."],
};

const copilotCli: Recipe = {
  signs: [".copilot"],
  scopes: userOrProject,
  edits(scope, places, program) {
    const folder = scope === "project" ? ".github" : ".copilot";
    const path = placed("copilot-cli", scope, places, folder, "hooks", "gatehouse.json");
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

const cursorEdits = "Write|Edit|EditNotebook|StrReplace|Delete|TabWrite";

const cursor: Recipe = {
  signs: [".cursor"],
  scopes: allScopes,
  edits(scope, places, program) {
    const command = commandLine(program, "hook", "cursor");
    // Sources disagree on the unit: 60 is a minute in seconds and still enough in milliseconds.
    const run = { command, timeout: 60, failClosed: true };
    const before = {
      ...each(["beforeShellExecution", "beforeMCPExecution", "beforeReadFile"], () => run),
      // The one hook before an edit; what has a hook of its own is left to that.
      preToolUse: { ...run, matcher: cursorEdits },
    };
    const after = each(
      ["afterShellExecution", "afterMCPExecution", "afterFileEdit", "sessionStart", "sessionEnd"],
      () => ({ command, timeout: 60 }),
    );
    return [
      jsonHooks({
        client: "cursor",
        path: placed("cursor", scope, places, ".cursor", "hooks.json"),
        fresh: { version: 1 },
        hooks: { ...before, ...after },
      }),
    ];
  },
  holes: [
    "Written by its documentation, not tried on a running Cursor.",
    "Before Cursor 2.4 there is no hook before an edit: there edits are reported after the fact.",
  ],
};

const opencode: Recipe = {
  signs: [".config/opencode", ".local/share/opencode"],
  scopes: userOrProject,
  edits(scope, places, program) {
    const folder = scope === "project" ? ".opencode" : ".config/opencode";
    const path = placed("opencode", scope, places, folder, "plugin", "gatehouse.js");
    return [ownFile(path, opencodePlugin([program.path, ...program.args]))];
  },
  holes: [
    "A plugin that cannot be loaded is left out without a word: `gatehouse doctor` shows when it was last heard of.",
  ],
};

const clineEvents = ["PreToolUse", "PostToolUse", "TaskStart", "TaskComplete"];
const cline: Recipe = {
  signs: [".cline", "Documents/Cline"],
  scopes: userOrProject,
  edits(scope, places, program) {
    if (places.platform === "win32")
      throw new CannotInstall(
        "On Windows Cline runs PowerShell scripts: call `gatehouse hook cline <event>` from yours.",
      );
    // The command line program reads the first, the editor's extension the second.
    const folders =
      scope === "project"
        ? [join(places.project, ".clinerules", "hooks")]
        : [join(places.home, ".cline", "hooks"), join(places.home, "Documents", "Cline", "Hooks")];
    return folders.flatMap(folder =>
      clineEvents.map(event =>
        ownFile(join(folder, event), clineHook(commandLine(program, "hook", "cline"), event), { mode: 0o755 }),
      ),
    );
  },
  holes: [
    "A refused call ends Cline's whole run.",
    "A crashed or slow hook lets the call through.",
    "In the editor hooks run only where Cline's settings enable them.",
  ],
};

const windsurfEvents = [
  "pre_run_command",
  "pre_mcp_tool_use",
  "pre_read_code",
  "pre_write_code",
  "post_run_command",
  "post_mcp_tool_use",
  "post_write_code",
];
const windsurf: Recipe = {
  signs: [".codeium/windsurf"],
  scopes: userOrProject,
  edits(scope, places, program) {
    // In a project the second is read by Devin Desktop, as Windsurf is called now, and then the first is not.
    const paths =
      scope === "project"
        ? [join(places.project, ".windsurf", "hooks.json"), join(places.project, ".devin", "hooks.json")]
        : [join(places.home, ".codeium", "windsurf", "hooks.json")];
    const line = commandLine(program, "hook", "windsurf");
    const hooks = each(windsurfEvents, () => ({ command: line, powershell: `& ${line}`, show_output: false }));
    return paths.map(path => jsonHooks({ client: "windsurf", path, hooks }));
  },
  holes: [
    "Written by its documentation, not tried on a running Windsurf (Devin Desktop).",
    "Only Cascade calls these hooks: tabs of Devin Local read `.devin/hooks.v1.json`, which Gatehouse does not write.",
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
    const path = placed("kiro", scope, places, ".kiro", "hooks", "gatehouse.json");
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
