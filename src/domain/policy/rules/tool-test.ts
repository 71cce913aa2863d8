/** `mcp`, `input`, `hints`: what is asked of an MCP tool call. */
import type { ToolCall } from "../facts.ts";
import { type Certainty, no, yes } from "./certainty.ts";
import type { Description } from "./description.ts";
import type { WordTest } from "./glob.ts";

export const toolName = (call: ToolCall): string => `${call.server === "" ? "?" : call.server}/${call.tool}`;

export function toolHolds(made: Description, call: ToolCall): Certainty {
  if (made.mcp !== undefined && !made.mcp.fits(toolName(call))) return no;
  if (made.hints !== undefined && !made.hints.some(hint => call.hints[hint])) return no;
  for (const [name, test] of made.input ?? []) if (!inputHolds(call.input, name, test)) return no;
  return yes;
}

const inputNodesMax = 1000;

/** A member of that name at any depth holds a text that fits. */
function inputHolds(input: Record<string, unknown>, name: string, test: WordTest): boolean {
  const waiting: unknown[] = [input];
  for (let at = 0; at < waiting.length && at < inputNodesMax; at++) {
    const node = waiting[at];
    if (node === null || typeof node !== "object") continue;
    for (const [key, value] of Object.entries(node)) {
      if (key === name && !Array.isArray(node) && texts(value).some(text => test.fits(text))) return true;
      if (value !== null && typeof value === "object") waiting.push(value);
    }
  }
  return false;
}

function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.filter(item => typeof item === "string");
  return typeof value === "number" || typeof value === "boolean" ? [String(value)] : [];
}
