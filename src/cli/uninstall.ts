import { rmSync } from "node:fs";
import { writeWhole } from "../client/home.ts";
import { recipes } from "../client/install/recipes.ts";
import { flag, readArguments, text } from "./arguments.ts";
import { command } from "./command.ts";
import { agentOf, editsOf, readIf, scopeOf } from "./install.ts";

const USAGE = `Usage: gatehouse uninstall <agent> [--scope user|project|managed] [--dry-run] [--json]

Takes the Gatehouse hook out of the agent's settings and leaves everything else as it is.`;

export const run = command(USAGE, async (argv, io) => {
  const { values, positionals } = readArguments(argv, { scope: text, "dry-run": flag, json: flag }, [1, 1], USAGE);
  const client = agentOf(positionals[0]!, USAGE);
  const scope = scopeOf(values.scope ?? "user", client, recipes[client]!);
  const files = editsOf(client, scope, io).map(edit => {
    const before = readIf(edit.path);
    const after = before === undefined ? undefined : edit.uninstall(before);
    const changed = before !== after;
    if (changed && !values["dry-run"]) after === undefined ? rmSync(edit.path) : writeWhole(edit.path, after);
    return { path: edit.path, changed, removed: changed && after === undefined };
  });
  if (values.json) io.out(JSON.stringify({ client, scope, dry_run: values["dry-run"] ?? false, files }));
  else
    for (const { path, changed, removed } of files)
      io.out(`${path}: ${changed ? (removed ? "removed" : "hook taken out") : "no hook of ours"}`);
  return 0;
});
