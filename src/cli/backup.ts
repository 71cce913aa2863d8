import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfigError, dataPaths, FlagError, readConfig } from "../config.ts";
import { readRelease } from "../release.ts";
import { copyDatabase } from "./copy-database.ts";
import { ArchiveError, createArchive, put } from "./archive.ts";
import { takeFlag } from "./arguments.ts";
import { type Run, UsageError } from "./io.ts";

const HELP = `Usage: gatehouse backup FILE [--data DIR] [--json]

Copies the directory, every organisation and the keys into one file, also while the server runs. The file holds the keys: guard it.`;

/** Exit codes: 0 done, 1 it could not be written, 2 not understood. */
export const run: Run = async (argv, { env, out, err }) => {
  if (argv.includes("--help") || argv.includes("-h")) return (out(HELP), 0);
  try {
    const [json, rest] = takeFlag(argv, "--json");
    const [file, flags] = fileAndFlags(rest, HELP);
    const paths = dataPaths(readConfig(env, flags));
    if (!existsSync(paths.directory)) throw new ArchiveError(`${paths.directory} is not there: nothing to back up.`);
    const organisations = backUp(file, paths);
    out(json ? JSON.stringify({ file, organisations }) : `${organisations} organisations in ${file}`);
    return 0;
  } catch (error) {
    return explain(error, err);
  }
};

/**
 * The directory first, organisations after it: a head on record may then lag behind its log, never lead it. Each copy is of
 * one moment (VACUUM INTO reads in one transaction).
 */
function backUp(file: string, { directory, orgs, keys }: ReturnType<typeof dataPaths>): number {
  const { version } = readRelease();
  const archive = createArchive(file, { version, made_at: new Date().toISOString() });
  const aside = mkdtempSync(join(dirname(file), ".backup-"));
  const copy = (name: string, path: string) => {
    const place = join(aside, "copy.sqlite");
    copyDatabase(path, place);
    put(archive, name, place);
    rmSync(place);
  };
  let done = false;
  try {
    copy("directory.sqlite", directory);
    const files = existsSync(orgs) ? readdirSync(orgs).filter(name => name.endsWith(".sqlite")) : [];
    for (const name of files) copy(`orgs/${name}`, join(orgs, name));
    for (const name of readdirSync(keys).filter(one => one.endsWith(".key")))
      put(archive, `keys/${name}`, join(keys, name));
    done = true;
    return files.length;
  } finally {
    archive.close();
    rmSync(aside, { recursive: true, force: true });
    if (!done) rmSync(file, { force: true });
  }
}

/** The one word that is no flag, and the flags. */
export function fileAndFlags(argv: readonly string[], usage: string): [file: string, flags: string[]] {
  const at = argv.findIndex((word, index) => !word.startsWith("--") && !(index > 0 && needsValue(argv[index - 1]!)));
  if (at === -1) throw new UsageError(`The name of the file is missing.\n${usage}`);
  return [argv[at]!, argv.toSpliced(at, 1)];
}

const needsValue = (word: string) => word.startsWith("--") && !word.includes("=");

export function explain(error: unknown, err: (line: string) => void): number {
  if (error instanceof UsageError) return (err(error.message), 2);
  const known =
    error instanceof ArchiveError || error instanceof ConfigError || (error as { syscall?: string }).syscall;
  if (!known) throw error;
  return (err(`gatehouse: ${(error as Error).message}`), error instanceof FlagError ? 2 : 1);
}
