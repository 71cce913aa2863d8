import { existsSync } from "node:fs";
import { ConfigError, dataPaths, readConfig } from "../config.ts";
import { type Directory, openDirectory } from "../directory/directory.ts";
import { DataLockedError } from "../directory/data-lock.ts";
import { makeRecoveryCode } from "../domain/identity/recovery-code.ts";
import { Refusal } from "../errors.ts";
import { KeyError, openKeys } from "../key-files.ts";
import { MigrationError } from "../store/sqlite/migrate.ts";
import { ArchiveError } from "./archive.ts";
import { type Io, UsageError } from "./io.ts";

/**
 * Runs a command on the directory, beside a running server or without one, and turns what goes wrong into a sentence. Only
 * one that founds something makes a directory where there is none.
 */
export async function withDirectory(
  io: Io,
  work: (directory: Directory) => Promise<void>,
  { founds = false } = {},
): Promise<number> {
  let directory: Directory | undefined;
  try {
    const paths = dataPaths(readConfig(io.env));
    if (!founds && !existsSync(paths.directory))
      throw new ConfigError(
        `${paths.directory} is not there. GATEHOUSE_DATA names the server's data directory; a new one begins with: gatehouse org add <name> --admin <email>`,
      );
    const keys = openKeys(paths.keys, { fresh: !existsSync(paths.directory), now: Date.now });
    directory = openDirectory(paths.directory, { keys });
    await work(directory);
    return 0;
  } catch (error) {
    return explain(error, io);
  } finally {
    directory?.close();
  }
}

function explain(error: unknown, io: Io): number {
  if (error instanceof Refusal)
    io.err(["gatehouse:", error.message, ...(error.extra.details ?? []).map(detail => detail.message)].join(" "));
  else if (
    error instanceof ConfigError ||
    error instanceof KeyError ||
    error instanceof ArchiveError ||
    error instanceof DataLockedError ||
    error instanceof MigrationError
  )
    io.err(`gatehouse: ${error.message}`);
  else throw error;
  return 1;
}

/** The password a command sets: read from standard input, or made here and to be shown once. */
export async function newPassword(io: Io, from_stdin: boolean): Promise<{ password: string; generated: boolean }> {
  if (!from_stdin)
    return { password: makeRecoveryCode(size => crypto.getRandomValues(new Uint8Array(size))), generated: true };
  const password = (await io.stdin()).replace(/\r?\n$/, "");
  if (password === "") throw new UsageError("--password-stdin expects the password on standard input.");
  return { password, generated: false };
}
