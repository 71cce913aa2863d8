import { inputText, isStandardInput, language, wrapped } from "./effects.ts";
import { contentsOf } from "../run/redirect.ts";
import { fromTree } from "../run/trees.ts";
import { looksLikeCommand } from "./passed-on.ts";
import { setVariable } from "../unwrap/environment.ts";
import { runText } from "../unwrap/text.ts";
import { NETWORK } from "../taint.ts";
import { type Field, field, literal, type Val } from "../value.ts";
import { flagValue, flagValues, type Handler, type Job } from "./row.ts";

/** Recipes and `$(shell …)` of a makefile that this very command wrote, pipes in or gives as text; what `SHELL=` names. */
export const make: Handler = job => {
  const named = flagValue(job, "-f", "--file", "--makefile");
  for (const f of job.operands) overridden(job, f);
  const brought = fromTree(job.m, folderOf(job));
  if (brought) job.m.flow(job.of, brought, "executed");
  let printed: Val | undefined;
  for (const f of flagValues(job, "--eval", "-E")) printed = recipes(job, f) ?? printed;
  for (const held of named
    ? [fileOf(job, named)]
    : ["GNUmakefile", "makefile", "Makefile"].map(name => writtenHere(job, name)))
    if (held) printed = recipes(job, held) ?? printed;
  return printed;
};

const plainShell = /^(?:\/(?:usr\/)?bin\/(?:env )?)?(?:ba|da|z|k)?sh(?:\s+-(?:[eux]+|o \w+))*$/;

/** `make CC=cmd`, `make SHELL=cmd`: given on the line or by a variable is the same to make. */
function overridden(job: Job, f: Field): void {
  const [name, value] = /^(\w+)[:?+]?=(.*)$/s.exec(f.text)?.slice(1) ?? [];
  if (name === undefined || value === "") return;
  if (name !== "SHELL" && looksLikeCommand(value!)) language(job, "shell", { ...f, text: value! }, `${name}=`);
  else if (name !== "SHELL") setVariable(job.m, job.of, name, { ...f, text: value! });
  else if (!plainShell.test(value!)) language(job, "shell", { ...f, text: value! }, "SHELL=");
}

/** `make -C folder`. */
const folderOf = (job: Job): string => {
  const { m } = job;
  const given = flagValue(job, "-C", "--directory");
  return given ? m.place(given.text) : m.here;
};

const fileOf = (job: Job, named: Field): Val =>
  isStandardInput(named.text) ? inputText(job, []) : contentsOf(job.m, named);

const writtenHere = ({ m }: Job, name: string): Val | undefined =>
  m.files.size > 0 ? m.files.get(m.place(name)) : undefined;

function recipes(job: Job, held: Val): Val | undefined {
  if (!held.known) {
    job.m.flow(job.of, { ...held, taint: held.taint & NETWORK }, "executed");
    return undefined;
  }
  const lines = held.text
    .split("\n")
    .flatMap(line => /^\t[@+-]*(.*)$/s.exec(line)?.[1] ?? /^[^:=]*:[^=;]*;(.*)$/s.exec(line)?.[1] ?? []);
  const called = [...held.text.matchAll(/\$\(shell\s+([^)]*)|^\w+\s*!=\s*(.*)$/gm)].map(([, a, b]) => a ?? b!);
  return runText(job.m, { ...held, text: [...called, ...lines].join("\n") }, "make", job.io);
}

/** `cmake -E rm -rf x` does what `rm` does; `cmake -P script` runs `execute_process(COMMAND …)`. */
export const cmake: Handler = job => {
  const tool = flagValue(job, "-E");
  if (tool) return wrapped(job, toolWords(job, tool));
  const script = flagValue(job, "-P");
  const held = script && fileOf(job, script);
  if (!held?.known) return undefined;
  for (const [, command] of held.text.matchAll(/COMMAND\s+([^)]*)/g))
    runText(job.m, { ...held, text: command! }, "COMMAND", job.io);
  return undefined;
};

function toolWords(job: Job, tool: Field): Field[] {
  const rest = job.argv.slice(job.argv.indexOf(tool) + 1);
  const [name, ...flags] = (same[tool.text] ?? tool.text).split(" ");
  return [name!, ...flags].map(text => field(literal(text), tool.span)).concat(rest);
}

const same: Record<string, string> = {
  remove_directory: "rm -rf",
  remove: "rm -f",
  rename: "mv",
  copy: "cp",
  copy_directory: "cp -r",
  create_symlink: "ln -s",
};
