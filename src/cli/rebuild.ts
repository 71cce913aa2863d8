import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { ConfigError, dataPaths, FlagError, readConfig } from "../config.ts";
import { DataLockedError, lockData } from "../directory/data-lock.ts";
import { openDirectory } from "../directory/directory.ts";
import { KeyError, openKeys } from "../key-files.ts";
import { createLogger } from "../logger.ts";
import { MigrationError } from "../store/sqlite/migrate.ts";
import { takeFlag } from "./arguments.ts";
import type { Io, Run } from "./io.ts";
import { outcomeLine } from "./outcome.ts";
import { readPlans, startThreads } from "./threads.ts";

const HELP = `Usage: gatehouse rebuild [--data DIR] [--json]

Drops the projections of every organisation and builds them again from its log. Stop the server first.`;

/** Exit codes: 0 done, 1 something could not be opened or rebuilt, 2 not understood. */
export const run: Run = async (argv, io) => {
  if (argv.includes("--help") || argv.includes("-h")) return (io.out(HELP), 0);
  try {
    return await rebuild(argv, io);
  } catch (error) {
    if (
      !(
        error instanceof ConfigError ||
        error instanceof KeyError ||
        error instanceof DataLockedError ||
        error instanceof MigrationError
      )
    )
      throw error;
    io.err(`gatehouse: ${error.message}`);
    return error instanceof FlagError ? 2 : 1;
  }
};

async function rebuild(argv: readonly string[], { env, out, err }: Io): Promise<number> {
  const [json, flags] = takeFlag(argv, "--json");
  const config = readConfig(env, flags);
  const paths = dataPaths(config);
  if (!existsSync(paths.directory)) throw new ConfigError(`${paths.directory} is not there: nothing to rebuild.`);
  const unlock = lockData(config.data);
  const keys = openKeys(paths.keys, { fresh: false, now: Date.now });
  const directory = openDirectory(paths.directory, { now: Date.now, random: randomBytes, keys });
  const logger = createLogger(config.log_level, err, Date.now);
  const dispatch = startThreads(config, { directory, keys, plans: readPlans(), logger });
  let failed = 0;
  for (const { id, name } of directory.organisations.all()) {
    const outcome = await dispatch.finish(id, "org.rebuild", null).catch((error: Error) => error);
    if (outcome instanceof Error) failed++;
    out(outcomeLine({ id, name }, outcome, "entries", json));
  }
  await dispatch.close();
  directory.close();
  unlock();
  return failed > 0 ? 1 : 0;
}
