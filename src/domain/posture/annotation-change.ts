import type { Severity } from "../policy/verdict.ts";
import type { ToolDefinition } from "./tool.ts";

/** MCP's defaults: what a hint means when it is not given. Saying a default aloud changes nothing. */
const defaults: Record<string, boolean> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** A flip of the first two changes what the guard and the person may expect of a call; both directions alarm. */
const weights: Record<string, Severity> = {
  destructiveHint: "high",
  readOnlyHint: "high",
  openWorldHint: "medium",
  idempotentHint: "low",
};

export interface AnnotationChange {
  severity: Severity;
  detail: string;
}

/** Every hint whose meaning changed, the heaviest first. */
export function annotationChanges(before: ToolDefinition, after: ToolDefinition): AnnotationChange[] {
  return Object.keys(weights)
    .filter(hint => meaning(before, hint) !== meaning(after, hint))
    .map(hint => ({ severity: weights[hint]!, detail: `${hint} ${meaning(before, hint)} → ${meaning(after, hint)}` }));
}

function meaning(tool: ToolDefinition, hint: string): boolean {
  const value = tool.annotations?.[hint];
  return typeof value === "boolean" ? value : defaults[hint]!;
}
