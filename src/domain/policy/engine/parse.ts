import { type ParsedScript, parse as parseBash } from "unbash";
import { readPlain } from "./plain.ts";
import type { Machine } from "./run/machine.ts";

/** Parses shell text; every error, also of nested scripts as they are reached, is a gap. */
export function parse(m: Machine, text: string): ParsedScript {
  const read = readPlain(text);
  if (read !== undefined) return read;
  const script = parseBash(text);
  report(m, script);
  return script;
}

export function report(m: Machine, script: ParsedScript): void {
  const first = script.errors?.[0];
  if (first) m.gap("parse_error", first.message, m.span(first.pos, Math.min(first.pos + 1, script.end)));
}
