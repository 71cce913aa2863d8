/** Text that is run: as shell source, or as code of a language by its name. */
import { parse } from "../parse.ts";
import type { Io, Machine } from "../run/machine.ts";
import { runStatements } from "../run/script.ts";
import { EMPTY, type Field, type Val } from "../value.ts";
import { languages } from "./languages.ts";

/** Runs text as shell source under `name` in the chain of unwrapping; `argv` become `$0`, `$1` … */
export function runText(m: Machine, text: Val | Field, name: string, io: Io, argv?: readonly Field[]): Val {
  if (text.text === "") return EMPTY;
  return m.within(name, () => {
    const { positional, zero } = m.state;
    if (argv) {
      m.state.zero = argv[0] ?? EMPTY;
      m.state.positional = argv.slice(1);
    }
    const { holed } = m;
    m.holed = text.known ? undefined : { taint: text.taint, origin: text.origin };
    const printed = m.based("span" in text ? text.span : m.at, () =>
      runStatements(m, parse(m, text.text).commands, io),
    );
    m.holed = holed;
    if (argv) {
      m.state.positional = positional;
      m.state.zero = zero;
    }
    return printed;
  });
}

/** Runs text as code of a language the engine can look into; other languages yield nothing. */
export function runCode(m: Machine, language: string, text: Val | Field, name: string, io: Io): Val {
  const look = languages.get(language);
  if (!look) return EMPTY;
  const [facts, subjects] = [m.facts.length, m.subjects.length];
  const printed = m.within(name, () => m.based("span" in text ? text.span : m.at, () => look(m, text, io))) ?? EMPTY;
  fetchedThenRun(m, facts, subjects);
  return printed;
}

/** Code that downloads, writes a file and starts a program, in whatever order its statements stand. */
function fetchedThenRun(m: Machine, facts: number, subjects: number): void {
  if (m.subjects.length === subjects) return;
  const made = m.facts.slice(facts);
  const fetched = made.find(f => f.kind === "net" && f.does === "download");
  const wrote = made.some(f => f.kind === "file" && f.does === "write" && f.of < subjects);
  if (fetched?.kind !== "net" || !wrote) return;
  m.facts.push({ kind: "flow", of: fetched.of, from: "network", to: "executed", host: fetched.host });
}
