import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dataPaths, readConfig } from "../config.ts";
import { lockData } from "../directory/data-lock.ts";
import { type Directory, openDirectory } from "../directory/directory.ts";
import type { OrgDispatch } from "../dispatch/dispatch.ts";
import { openKeys } from "../key-files.ts";
import { createLogger } from "../logger.ts";
import { type Archive, ArchiveError, openArchive } from "./archive.ts";
import { takeFlag } from "./arguments.ts";
import { explain, fileAndFlags } from "./backup.ts";
import type { Io, Run } from "./io.ts";
import { outcomeLine } from "./outcome.ts";
import { refill } from "./refill.ts";
import { readPlans, startThreads } from "./threads.ts";

const HELP = `Usage: gatehouse restore FILE --data DIR [--json]

Puts a backup into an empty directory: checks every part, verifies every log, records its head anew and notes in it that it was restored.`;

/** Exit codes: 0 done, 1 it could not be restored or a log does not verify, 2 not understood. */
export const run: Run = async (argv, io) => {
  if (argv.includes("--help") || argv.includes("-h")) return (io.out(HELP), 0);
  try {
    return await restore(argv, io);
  } catch (error) {
    return explain(error, io.err);
  }
};

async function restore(argv: readonly string[], { env, out, err }: Io): Promise<number> {
  const [json, rest] = takeFlag(argv, "--json");
  const [file, flags] = fileAndFlags(rest, HELP);
  const config = readConfig(env, flags);
  const archive = openArchive(file);
  if (existsSync(config.data) && readdirSync(config.data).length > 0)
    throw new ArchiveError(`${config.data} is not empty. Restore into an empty directory.`);
  mkdirSync(config.data, { recursive: true, mode: 0o700 });
  const unlock = lockData(config.data);
  archive.unpack(config.data);
  archive.close();
  const paths = dataPaths(config);
  const keys = openKeys(paths.keys, { fresh: false, now: Date.now });
  const directory = openDirectory(paths.directory, { now: Date.now, random: randomBytes, keys });
  const logger = createLogger(config.log_level, err, Date.now);
  const dispatch = startThreads(config, { directory, keys, plans: readPlans(), logger });
  await refill(config.data, directory, dispatch, logger);
  let failed = 0;
  for (const { id, name } of directory.organisations.all()) {
    const outcome = await settle(id, archive, directory, dispatch).catch((error: Error) => error);
    if (outcome instanceof Error) failed++;
    out(outcomeLine({ id, name }, outcome, "entries, verified", json));
  }
  await dispatch.close();
  directory.close();
  unlock();
  return failed > 0 ? 1 : 0;
}

/** One log: verified, its head recorded as it is, and an entry that says so. */
async function settle(org: string, { made_at, version }: Archive, directory: Directory, dispatch: OrgDispatch) {
  const { valid, head, first_break } = await dispatch.verify(org, {});
  if (!valid)
    throw new Error(`its log does not verify from entry ${first_break?.seq}; it is kept as it was in the backup`);
  directory.heads.reset(org, { seq: head.seq, hash: head.hash });
  const attributes = { backup_made_at: made_at, backup_version: version, head: { seq: head.seq, hash: head.hash } };
  const actor = { kind: "system" as const, id: "gatehouse" };
  await dispatch.ask(org, "org.note", { kind: "log.restored", actor, attributes });
  return head.seq + 1;
}
