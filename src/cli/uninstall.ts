import { rmSync } from "node:fs";
import { writeWhole } from "../client/home.ts";
import type { Edit } from "../client/install/recipe.ts";
import { recipes } from "../client/install/recipes.ts";
import { flag, readArguments, text } from "./arguments.ts";
import { command } from "./command.ts";
import { agentOf, backupOf, editsOf, onFile, readIf, scopeOf } from "./install.ts";

const USAGE = `Usage: gatehouse uninstall <agent> [--scope user|project|managed] [--dry-run] [--json]

Takes the Gatehouse hook out of the agent's settings and leaves everything else as it is; a file nobody has written into since
is again what it was, to the byte.`;

export const run = command(USAGE, async (argv, io) => {
  const { values, positionals } = readArguments(argv, { scope: text, "dry-run": flag, json: flag }, [1, 1], USAGE);
  const client = agentOf(positionals[0]!, USAGE);
  const scope = scopeOf(values.scope ?? "user", client, recipes[client]!);
  const files = editsOf(client, scope, io).map(edit => {
    const before = readIf(edit.path);
    if (before === undefined) return { path: edit.path, changed: false, removed: false };
    const untouched = asItWas(edit, before);
    const after = untouched ?? onFile(edit.path, () => edit.uninstall(before));
    const changed = before !== after;
    if (changed && !values["dry-run"])
      onFile(edit.path, () => (after === undefined ? rmSync(edit.path) : writeWhole(edit.path, after)));
    if (untouched !== undefined && !values["dry-run"]) rmSync(backupOf(edit.path));
    return { path: edit.path, changed, removed: changed && after === undefined };
  });
  if (values.json) io.out(JSON.stringify({ client, scope, dry_run: values["dry-run"] ?? false, files }));
  else
    for (const { path, changed, removed } of files)
      io.out(`${path}: ${changed ? (removed ? "removed" : "hook taken out") : "no hook of ours"}`);
  return 0;
});

/** The text from before the hook came, if nobody has written into the file since. */
function asItWas(edit: Edit, now: string): string | undefined {
  const kept = readIf(backupOf(edit.path));
  return kept !== undefined && onFile(backupOf(edit.path), () => edit.install(kept)) === now ? kept : undefined;
}
