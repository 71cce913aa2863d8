import { canonicalJson } from "../canonical-json.ts";

/** An MCP tool as a server lists it (MCP 2025-06-18, `tools/list`), in snake case. */
export interface ToolDefinition {
  name: string;
  title?: string;
  description?: string;
  /** JSON Schema of the arguments. */
  input_schema?: unknown;
  annotations?: Readonly<Record<string, unknown>>;
}

/** Lowercase hex over everything a model or a person is told of a tool; the order of members is of no account. */
export function toolFingerprint(tool: ToolDefinition, hash: (text: string) => string): string {
  const { name, title, description, input_schema, annotations } = tool;
  return hash(canonicalJson({ name, title, description, input_schema, annotations }));
}

/** More than a bare name: only such definitions can be compared. */
export function isDetailed(tool: ToolDefinition): boolean {
  return tool.description !== undefined || tool.input_schema !== undefined || tool.annotations !== undefined;
}

/** Clients spell `My.Server` as `my_server`; names that differ only so are one. */
export function nameKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_");
}
