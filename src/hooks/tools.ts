import type { Call, McpCall, World } from "../domain/policy/verdict.ts";
import type { Action } from "./dialect.ts";
import { patchSteps } from "./patch.ts";
import { bounded, type Fields, fieldsOf, present, textOf, textsOf } from "./payload.ts";

/**
 * The tools agents bring themselves are judged as calls to a server of this name; no MCP server can bear it,
 * because agents reduce server names to letters, digits, `_` and `-`. Tools: read_file, write_file, edit_file,
 * delete_file, move_file (`path`, `to`), search_files, fetch_url (`url`).
 */
export const builtin = "@agent";

type Own =
  | { kind: "shell"; dialect?: "powershell" | "cmd" }
  | { kind: "file"; tool: string }
  | { kind: "net"; tool: string }
  | { kind: "patch" }
  | { kind: "tool" };

const table: [Own, string][] = [
  [
    { kind: "shell" },
    "bash shell run_shell_command run_commands execute_command execute_bash exec_command local_shell",
  ],
  [{ kind: "shell" }, "container.exec run_terminal_cmd write_bash unified_exec write_stdin run_in_terminal"],
  [{ kind: "shell", dialect: "powershell" }, "powershell pwsh write_powershell"],
  [{ kind: "shell", dialect: "cmd" }, "cmd"],
  [
    { kind: "file", tool: "read_file" },
    "read read_file view view_file fs_read read_many_files read_multiple_files notebookread",
  ],
  [
    { kind: "file", tool: "write_file" },
    "write write_file create fs_write fs_append write_to_file create_file new_file",
  ],
  [
    { kind: "file", tool: "edit_file" },
    "edit multiedit notebookedit edit_notebook replace edit_file replace_in_file str_replace str_replace_editor insert tabwrite",
  ],
  [{ kind: "file", tool: "delete_file" }, "delete delete_file"],
  [
    { kind: "file", tool: "search_files" },
    "grep glob list ls list_directory list_files search_files search_file_content grep_search",
  ],
  [{ kind: "net", tool: "fetch_url" }, "webfetch web_fetch fetch fetch_url"],
  [{ kind: "patch" }, "apply_patch patch"],
];
/** Agents differ in how they write a name of several words: `fs_write`, `fsWrite`, `fs-write`. */
const plainName = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, "");
const own = new Map<string, Own>(
  table.flatMap(([tool, names]) => names.split(" ").map(name => [plainName(name), tool] as const)),
);

const commandKeys = ["command", "cmd", "script", "input", "chars"];
const pathKeys = [
  "file_path",
  "filePath",
  "path",
  "absolute_path",
  "notebook_path",
  "dir_path",
  "target_file",
  "target_notebook",
];

export interface Described {
  action: Action;
  calls: Call[];
}

/** What one of the agent's own tools is about to do. A tool nobody knows is shell if it carries a command, else only reported. */
export function describeTool(name: string, input: Fields, world: World): Described {
  const tool =
    own.get(plainName(name)) ?? (textOf(input["command"]) ? { kind: "shell" as const } : { kind: "tool" as const });
  if (tool.kind === "shell") return describeShell(commandsOf(input), world, tool.dialect);
  if (tool.kind === "patch") return describePatch(patchTextOf(input), world);
  if (tool.kind === "file") return describeFiles(tool.tool, pathsOf(input), world, input);
  if (tool.kind === "net") return describeFetch(tool.tool, input, world);
  return { action: withCwd({ kind: "tool", tool: name, args: bounded(input) as Fields }, world), calls: [] };
}

/** An MCP call; `server` stays absent where the agent joined the names and nothing tells them apart. */
export function describeMcp(server: string | undefined, tool: string, input: Fields, world: World): Described {
  const named = present({ server, tool });
  return {
    action: withCwd({ kind: "mcp", ...named, args: bounded(input) as Fields }, world),
    calls: [{ ...world, type: "mcp", tool, ...present({ server }), args: input }],
  };
}

/** Each command is judged for itself: joined, an open heredoc in one would hide the next. */
export function describeShell(commands: string[], world: World, dialect?: "powershell" | "cmd"): Described {
  const command = commands.join("\n");
  return {
    action: withCwd({ kind: "shell", command: String(bounded(command)) }, world),
    calls: commands.map(each => ({ ...world, type: "shell", command: each, ...present({ dialect }) })),
  };
}

export function describeFiles(tool: string, paths: string[], world: World, input: Fields = {}): Described {
  const args = { ...(paths.length === 1 ? { path: paths[0] } : { paths }), ...sizeOf(input) };
  return {
    action: withCwd({ kind: "file", tool, args }, world),
    calls: paths.map(path => builtinCall(tool, { path }, world)),
  };
}

export function describePatch(patch: string, world: World): Described {
  const steps = patchSteps(patch);
  const calls = steps.map(step =>
    builtinCall(`${step.does}_file`, present({ path: step.path, to: step.to }) as Fields, world),
  );
  const paths = [...new Set(steps.flatMap(step => (step.to ? [step.path, step.to] : [step.path])))].slice(0, 64);
  return { action: withCwd({ kind: "file", tool: "apply_patch", args: { paths, bytes: patch.length } }, world), calls };
}

function describeFetch(tool: string, input: Fields, world: World): Described {
  const url = textOf(input["url"]) ?? /https?:\/\/\S+/.exec(textOf(input["prompt"]) ?? "")?.[0];
  const args = present({ url }) as Fields;
  return { action: withCwd({ kind: "net", tool, args }, world), calls: url ? [builtinCall(tool, args, world)] : [] };
}

const builtinCall = (tool: string, args: Fields, world: World): McpCall => ({
  ...world,
  type: "mcp",
  server: builtin,
  tool,
  args,
});

const withCwd = (action: Action, world: World): Action => (world.cwd ? { ...action, cwd: world.cwd } : action);

/** Content is never sent, only how much of it there was. */
function sizeOf(input: Fields): Fields {
  const content = input["content"] ?? input["new_string"] ?? input["file_text"];
  return typeof content === "string" ? { bytes: content.length } : {};
}

function commandsOf(input: Fields): string[] {
  const many = input["commands"];
  if (Array.isArray(many))
    return many.flatMap(each => (typeof each === "string" ? [each] : commandsOf(fieldsOf(each) ?? {})));
  for (const key of commandKeys) {
    const value = input[key];
    if (typeof value === "string") return [value];
    const words = textsOf(value);
    if (words.length > 0) return [words.map(quoted).join(" ")];
  }
  // Under a name nobody told us of, or of another type: each text is judged as one, so that none passes unread.
  return textsIn(input);
}

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return [];
  return Object.values(value).flatMap(each => textsIn(each, depth + 1));
}
const DEPTH_MAX = 8;

/** An argument vector as one command line (POSIX single quotes). */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

const patchTextOf = (input: Fields): string =>
  textOf(input["command"]) ?? textOf(input["patch"]) ?? textOf(input["patchText"]) ?? textOf(input["input"]) ?? "";

function pathsOf(input: Fields): string[] {
  const single = pathKeys.map(key => textOf(input[key])).filter(path => path !== undefined);
  const several = ["paths", "file_paths", "files", "operations"].flatMap(key => {
    const items = Array.isArray(input[key]) ? (input[key] as unknown[]) : [];
    return items.flatMap(item => (typeof item === "string" ? [item] : pathsOf(fieldsOf(item) ?? {})));
  });
  return [...new Set([...single, ...several])].slice(0, 64);
}
