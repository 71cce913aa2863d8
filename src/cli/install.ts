import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { homeOf, writeWhole } from "../client/home.ts";
import { CannotInstall, type Edit, type InstallScope, type Recipe } from "../client/install/recipe.ts";
import { recipes } from "../client/install/recipes.ts";
import { flag, readArguments, text } from "./arguments.ts";
import { didYouMean } from "./closest.ts";
import { command } from "./command.ts";
import { placesOf } from "./installation.ts";
import { thisProgram } from "./program.ts";
import { type Io, UsageError } from "./io.ts";

export const agents = Object.keys(recipes);
const scopes = ["user", "project", "managed"] as const;

const USAGE = `Usage: gatehouse install <agent> [--scope user|project|managed] [--dry-run] [--json]

Writes the Gatehouse hook into the agent's settings: merged, backed up once beside the file (.before-gatehouse), the same
when run again. Agents: ${agents.join(", ")}.`;

export const run = command(USAGE, async (argv, io) => {
  const { values, positionals } = readArguments(argv, { scope: text, "dry-run": flag, json: flag }, [1, 1], USAGE);
  const client = agentOf(positionals[0]!, USAGE);
  const recipe = recipes[client]!;
  const scope = scopeOf(values.scope ?? "user", client, recipe);
  const changes = editsOf(client, scope, io)
    .map(edit => ({ edit, before: readIf(edit.path) }))
    .map(each => ({ ...each, after: onFile(each.edit.path, () => each.edit.install(each.before)) }));
  for (const { edit, before, after } of changes) {
    if (values["dry-run"] || before === after) continue;
    onFile(edit.path, () => {
      backUp(edit.path);
      writeWhole(edit.path, after, edit.mode ?? 0o644);
    });
  }
  if (values.json)
    io.out(
      JSON.stringify({
        client,
        scope,
        dry_run: values["dry-run"] ?? false,
        files: changes.map(({ edit, before, after }) => ({ path: edit.path, changed: before !== after })),
      }),
    );
  else for (const line of changes.flatMap(each => told(each, values["dry-run"] ?? false))) io.out(line);
  if (!values.json) for (const hole of recipe.holes) io.out(`  note: ${hole}`);
  return 0;
});

interface Change {
  edit: Edit;
  before: string | undefined;
  after: string;
}

function told({ edit, before, after }: Change, dry: boolean): string[] {
  if (before === after) return [`${edit.path}: already installed`];
  if (dry) return [`${edit.path} would become:`, after];
  return [`${edit.path}: ${before === undefined ? "written" : "merged"}`];
}

export function agentOf(name: string, usage: string): string {
  if (!Object.hasOwn(recipes, name))
    throw new UsageError(`${name} is not an agent Gatehouse knows.${didYouMean(name, agents)}\n${usage}`);
  return name;
}

export function scopeOf(given: string, client: string, recipe: Recipe): InstallScope {
  const scope = scopes.find(each => each === given);
  if (!scope) throw new UsageError(`--scope takes ${scopes.join(", ")}.`);
  if (!recipe.scopes.includes(scope))
    throw new CannotInstall(`${client} has no ${scope} scope; it has ${recipe.scopes.join(" and ")}.`);
  return scope;
}

export const editsOf = (client: string, scope: InstallScope, io: Io): Edit[] =>
  recipes[client]!.edits(scope, placesOf(homeOf(io.env)), thisProgram());

/** What stands in the way says where. */
export function onFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CannotInstall) throw new CannotInstall(`${path}: ${error.message}`);
    if (/^(EACCES|EPERM|EROFS)$/.test(String((error as { code?: unknown }).code)))
      throw new CannotInstall(`${path} may not be written. The managed scope needs an administrator's rights.`);
    throw error;
  }
}

export const readIf = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

/** Where the file lies as it was before Gatehouse came: written once, never over. */
export const backupOf = (path: string): string => `${path}.before-gatehouse`;

function backUp(path: string): void {
  const copy = backupOf(path);
  if (existsSync(path) && !existsSync(copy)) copyFileSync(path, copy);
}
