import { contents } from "../run/redirect.ts";
import { field, literal } from "../value.ts";
import { file } from "./effects.ts";
import { flagValue, type Handler } from "./row.ts";
import type { Table } from "./table.ts";

const target = /^\+\+\+ (?:b\/)?([^\t\n]+)/;

/** What a unified diff adds to each file it names. */
function added(diff: string): Map<string, string> {
  const out = new Map<string, string>();
  let name: string | undefined;
  for (const line of diff.split("\n")) {
    const named = target.exec(line)?.[1];
    if (named !== undefined) name = named.trim();
    else if (name !== undefined && line.startsWith("+")) out.set(name, `${out.get(name) ?? ""}${line.slice(1)}\n`);
  }
  return out;
}

/** `patch < diff`, `git apply diff`: the lines it adds are what a file run afterwards holds. */
export const applyPatch: Handler = job => {
  const { m, io } = job;
  const named = flagValue(job, "-i", "--input") ?? job.operands.at(-1);
  const diff = io.input?.val ?? (named && contents(m, m.places.of(named.text, m.state.cwd), named));
  if (!diff?.known) return undefined;
  for (const [name, text] of added(diff.text))
    m.files.set(file(job, field(literal(name), job.inv.span!), "write"), literal(text));
  return undefined;
};

export const patch: Table = {
  patch: { valued: "-p -i -d -o -r -B -D -F -V -Y -z --strip --input --directory --output", run: applyPatch },
};
