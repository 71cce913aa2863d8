/** `jq` programs that yield one text: a literal, a member by its path, either of them decoded. */
import { base64Decode } from "./encodings.ts";

const program = /^\s*(?:"((?:\\.|[^"\\])*)"|\.((?:[\w-]+|\[\d+\])(?:\.[\w-]+|\[\d+\])*)?)\s*(?:(\|\s*@base64d)\s*)?$/;

/** The output of `jq -r script` for a text; undefined: not to be told. */
export function jq(script: string, text: string): string | undefined {
  const found = program.exec(script);
  if (!found) return undefined;
  const [, literal, path, decodes] = found;
  const value = literal === undefined ? member(text, path ?? "") : literal.replace(/\\(.)/g, "$1");
  if (typeof value !== "string") return undefined;
  const plain = decodes === undefined ? value : base64Decode(value);
  return plain === undefined ? undefined : `${plain}\n`;
}

function member(text: string, path: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const step of path.match(/[\w-]+/g) ?? [])
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[step] : undefined;
  return value;
}
