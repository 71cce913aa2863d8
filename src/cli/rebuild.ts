import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { ConfigError, readConfig } from "../config.ts";
import { DataLockedError, lockData } from "../directory/data-lock.ts";
import { openDirectory } from "../directory/directory.ts";
import { KeyError, openKeys } from "../key-files.ts";
import { createLogger } from "../logger.ts";
import { MigrationError } from "../store/sqlite/migrate.ts";
import type { Io, Run } from "./io.ts";
import { readPlans, startThreads } from "./threads.ts";

const HELP = `gatehouse rebuild [--data DIR]

Drops the projections of every organisation and builds them again from its log. Stop the server first.`;

/** Exit codes: 0 done, 1 something could not be opened or rebuilt. */
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
    return 1;
  }
};

async function rebuild(argv: readonly string[], { env, out, err }: Io): Promise<number> {
  const config = readConfig(env, argv);
  const unlock = lockData(config.data);
  const keys = openKeys(join(config.data, "keys"), { fresh: false, now: Date.now });
  const directory = openDirectory(join(config.data, "directory.sqlite"), { now: Date.now, random: randomBytes, keys });
  const logger = createLogger(config.log_level, err, Date.now);
  const dispatch = startThreads(config, { directory, keys, plans: readPlans(), logger });
  let failed = 0;
  for (const { id, name } of directory.organisations.all()) {
    const outcome = await dispatch.finish(id, "org.rebuild", null).catch((error: Error) => error);
    if (outcome instanceof Error) failed++;
    out(`${name} (${id}): ${outcome instanceof Error ? outcome.message : `${outcome} entries`}`);
  }
  await dispatch.close();
  directory.close();
  unlock();
  return failed > 0 ? 1 : 0;
}
