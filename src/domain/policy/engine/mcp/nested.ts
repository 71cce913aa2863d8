/** Calls inside a call: `call_tool {name, arguments}`, `{action: "delete", path}`, batches of either. */
import { openJson } from "./leaves.ts";
import { verbOf } from "./verbs.ts";

interface Nested {
  server: string | undefined;
  tool: string;
  args: Record<string, unknown>;
}

type Members = Record<string, unknown>;
const nameKeys = ["tool", "tool_name", "toolName", "name", "function"];
const argumentKeys = ["arguments", "args", "input", "params", "parameters", "kwargs", "tool_args", "tool_input"];
const actionKeys = ["action", "operation", "op"];
const identifier = /^[A-Za-z][\w./-]{1,60}$/;
/** The words of a JSON patch (RFC 6902), whose paths are no files. */
const patching = /^(add|remove|replace|move|copy|test)$/;

const callsMax = 64;

/** The calls a call's arguments hold, the outermost of each; `complete` is false where there are more than are read. */
export function nestedCalls(input: Members): { calls: Nested[]; complete: boolean } {
  const calls: Nested[] = [];
  const waiting: unknown[] = [input];
  for (const node of waiting) {
    const opened = typeof node === "string" ? openJson(node) : node;
    if (opened === null || typeof opened !== "object") continue;
    const call = Array.isArray(opened) ? undefined : (named(opened as Members) ?? acting(opened as Members));
    if (call && calls.length === callsMax) return { calls, complete: false };
    if (call) calls.push(call);
    else waiting.push(...Object.values(opened));
  }
  return { calls, complete: true };
}

const text = (of: Members, keys: readonly string[]): string | undefined => {
  const value = keys.map(key => of[key]).find(one => typeof one === "string");
  return typeof value === "string" && identifier.test(value) ? value : undefined;
};

/** `{name: "shell.exec", arguments: {…}}`. */
function named(of: Members): Nested | undefined {
  const tool = text(of, nameKeys);
  const given = argumentKeys.map(key => of[key]).find(one => one !== undefined);
  const args = typeof given === "string" ? openJson(given) : given;
  if (tool === undefined || args === null || typeof args !== "object" || Array.isArray(args)) return undefined;
  return { server: text(of, ["server", "server_name", "serverName"]), tool, args: args as Members };
}

/** `{action: "delete", path: "/etc"}`; an action that only looks is none. */
function acting(of: Members): Nested | undefined {
  const tool = text(of, actionKeys);
  if (tool === undefined || patching.test(tool)) return undefined;
  const { does, sends, runs } = verbOf(tool);
  if (does === "read" && !sends && !runs) return undefined;
  const args = Object.fromEntries(Object.entries(of).filter(([key]) => !actionKeys.includes(key)));
  return { server: undefined, tool, args };
}
