/** Shell text into nodes: `plain.ts` reads what most commands consist of, the parser all the rest. */
import { type ParsedScript, parse as parseBash } from "unbash";
import { readPlain } from "./plain.ts";
import type { Machine } from "./run/machine.ts";

/** Parses shell text; every error, also of nested scripts as they are reached, is a gap. */
export function parse(m: Machine, text: string): ParsedScript {
  m.work(text.length * 4);
  const read = readPlain(text);
  if (read !== undefined) return read;
  const script = parseBash(text);
  report(m, script, text);
  return script;
}

/**
 * One line that ends in a redirect without a target (`<name>`, a place left to fill in): every shell refuses it before
 * it runs any of it, and none waits for more. In zsh `<1-9>` is a pattern of files.
 */
const refused = (text: string): boolean => /[<>]\s*$/.test(text) && !/[\n\r\\]|<\d*-\d*>/.test(text.trimEnd());

export function report(m: Machine, script: ParsedScript, text = ""): void {
  const first = script.errors?.[0];
  if (first === undefined) return;
  const why = first.message === "expected redirect target" && refused(text) ? "refused_line" : "parse_error";
  m.gap(why, first.message, m.span(first.pos, Math.min(first.pos + 1, script.end)));
}
