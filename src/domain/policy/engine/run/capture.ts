/** Substitutions: `$(…)` yields what a script prints, `<(…)` a file that reads so. */
import type { ParsedScript } from "unbash";
import { report } from "../parse.ts";
import { EMPTY, literal, unknown, type Val } from "../value.ts";
import type { Machine } from "./machine.ts";
import { runScript } from "./script.ts";

/** `$(…)`: runs the script in a subshell and yields what it prints, trailing newlines off. */
export function capture(m: Machine, script: ParsedScript): Val {
  report(m, script);
  const before = m.base;
  if (script.source !== undefined) m.base ??= m.span(script.pos, script.end);
  const { stdin } = m;
  const printed = m.within(undefined, () =>
    m.subshell(() => {
      m.state.out = undefined;
      return runScript(m, script, stdin);
    }),
  );
  m.stdin = stdin;
  m.base = before;
  const text = trimEnd(printed.text);
  return text === printed.text ? printed : { ...printed, text };
}

function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 10) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** `<(…)`: a file name that reads as what the script prints. `>(…)`: a file name whose contents the script reads. */
export function substitute(m: Machine, script: ParsedScript, operator: "<" | ">"): Val {
  report(m, script);
  const name = `/dev/fd/${63 - (m.files.size % 50)}`;
  if (operator === ">") {
    m.within(undefined, () => m.subshell(() => runScript(m, script, { val: m.feeding ?? unknown(0), at: 0 })));
    return literal("/dev/null");
  }
  const fed = m.feeding && { val: m.feeding, at: 0 };
  m.files.set(name, m.within(undefined, () => m.subshell(() => runScript(m, script, fed))) ?? EMPTY);
  return literal(name);
}
