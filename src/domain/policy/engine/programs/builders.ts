import { file, inputText, isStandardInput, language, wrapped } from "./effects.ts";
import { contentsOf } from "../run/redirect.ts";
import { fromTree } from "../run/trees.ts";
import { handedOver, looksLikeCommand } from "./passed-on.ts";
import { setVariable } from "../unwrap/environment.ts";
import { runText } from "../unwrap/text.ts";
import { NETWORK } from "../taint.ts";
import { type Field, field, literal, type Val } from "../value.ts";
import { flagValue, flagValues, type Handler, type Job } from "./row.ts";

/** Recipes and `$(shell …)` of a makefile that this very command wrote, pipes in or gives as text; what `SHELL=` names. */
export const make: Handler = job => {
  const named = flagValue(job, "-f", "--file", "--makefile");
  for (const f of job.operands) overridden(job, f);
  recipeShell(job);
  const brought = fromTree(job.m, folderOf(job));
  if (brought) job.m.flow(job.of, brought, "executed");
  let printed: Val | undefined;
  for (const f of flagValues(job, "--eval", "-E")) printed = recipes(job, f, tabbed) ?? printed;
  for (const held of named
    ? [fileOf(job, named)]
    : ["GNUmakefile", "makefile", "Makefile"].map(name => writtenHere(job, name)))
    if (held) printed = recipes(job, held, tabbed) ?? printed;
  return printed;
};

const plainShell = /^(?:\/(?:usr\/)?bin\/(?:env )?)?(?:ba|da|z|k)?sh(?:\s+-(?:[eucx]+|o \w+))*$/;
const assignment = /^(\.?\w+)[:?+!]*=(.*)$/s;
const shellCall = /\$\(shell\s+([^)]*)/g;

/** `make CC=cmd`, `make X:='$(shell cmd)'`: given on the line or by a variable is the same to make. */
function overridden(job: Job, f: Field): void {
  const [name, value] = assignment.exec(f.text)?.slice(1) ?? [];
  if (name === undefined || value === "") return;
  for (const [, text] of value!.matchAll(shellCall)) language(job, "shell", { ...f, text: text! }, `${name}=`);
  if (/^\.?SHELL(?:FLAGS)?$/.test(name)) return;
  if (looksLikeCommand(value!)) language(job, "shell", { ...f, text: value! }, `${name}=`);
  else setVariable(job.m, job.of, name, { ...f, text: value! });
}

/** `make SHELL=cmd .SHELLFLAGS=words`: what every line of a recipe is given to. */
function recipeShell(job: Job): void {
  const given = (name: string) => job.operands.findLast(f => assignment.exec(f.text)?.[1] === name);
  const [shell, flags] = [given("SHELL"), given(".SHELLFLAGS")];
  const f = flags ?? shell;
  if (!f) return;
  const text = [shell ?? { text: "=sh" }, flags ?? { text: "=" }]
    .map(one => assigned(one.text))
    .join(" ")
    .trim();
  if (!plainShell.test(text)) language(job, "shell", { ...f, text }, "SHELL=");
}

const assigned = (text: string): string => text.slice(text.indexOf("=") + 1);

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

/** Lines of a recipe: behind a tab in a makefile, behind any space in a justfile. */
const [tabbed, indented] = [/^\t[@+-]*(.*)$/s, /^[ \t]+@?(.*)$/s] as const;

/** Recipes and `` `cmd` `` of a justfile that this very command wrote or pipes in. */
export const just: Handler = job => {
  const named = flagValue(job, "-f", "--justfile");
  for (const held of named ? [fileOf(job, named)] : ["justfile", "Justfile"].map(name => writtenHere(job, name)))
    if (held) {
      recipes(job, held, indented);
      for (const [, text] of held.text.matchAll(/`([^`]+)`/g)) runText(job.m, { ...held, text: text! }, "just", job.io);
    }
  return handedOver(job);
};

function recipes(job: Job, held: Val, line: RegExp): Val | undefined {
  if (!held.known) {
    job.m.flow(job.of, { ...held, taint: held.taint & NETWORK }, "executed");
    return undefined;
  }
  const lines = held.text
    .split("\n")
    .flatMap(one => line.exec(one)?.[1] ?? /^[^:=]*:[^=;]*;(.*)$/s.exec(one)?.[1] ?? []);
  const called = [...held.text.matchAll(/\$\(shell\s+([^)]*)|^\w+\s*!=\s*(.*)$/gm)].map(([, a, b]) => a ?? b!);
  return runText(job.m, { ...held, text: [...called, ...lines].join("\n") }, "make", job.io);
}

/** `cmake -E rm -rf x` does what `rm` does; `cmake -P script` runs `execute_process(COMMAND …)`. */
export const cmake: Handler = job => {
  for (const f of flagValues(job, "-D")) defined(job, f);
  const tool = flagValue(job, "-E");
  if (tool) return wrapped(job, toolWords(job, tool));
  const script = flagValue(job, "-P");
  const held = script && fileOf(job, script);
  if (!held?.known) return undefined;
  for (const [, command] of held.text.matchAll(/COMMAND\s+([^)]*)/g))
    runText(job.m, { ...held, text: command! }, "COMMAND", job.io);
  return undefined;
};

/** `-DCMAKE_PROJECT_INCLUDE=file`, `-DCMAKE_C_COMPILER_LAUNCHER='cmd;words'`. */
function defined(job: Job, f: Field): void {
  const value = { ...f, text: assigned(f.text) };
  const name = f.text.split(/[:=]/, 1)[0]!;
  if (name.startsWith("CMAKE_") && name.includes("INCLUDE")) file(job, value, "execute");
  else if (name.endsWith("_LAUNCHER") && value.text.includes(";"))
    language(job, "shell", { ...value, text: value.text.replaceAll(";", " ") }, "-D");
}

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
  chdir: "env -C",
};
