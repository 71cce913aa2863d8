import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { listAssets } from "../assets.ts";
import type { Directory } from "../directory/directory.ts";
import type { Dispatch } from "../dispatch/dispatch.ts";
import type { Logger } from "../logger.ts";

/**
 * After an upgrade, and of an older backup: what a newer schema derives is filled from the log of every organisation whose file an older one wrote, before
 * anybody asks. One that cannot be filled is told to the operator and serves what it has; `gatehouse rebuild` tries again.
 */
export async function refill(data: string, directory: Directory, dispatch: Dispatch, logger: Logger): Promise<void> {
  const newest = listAssets("src/store/sqlite/migrations").filter(name => name.endsWith(".sql")).length;
  for (const { id } of directory.organisations.all()) {
    const schema = schemaOf(join(data, "orgs", `${id}.sqlite`));
    if (schema === 0 || schema >= newest) continue;
    await dispatch.finish(id, "org.rebuild", null).then(
      () => logger.info("an organisation was brought up to date from its log", { org: id }),
      (error: Error) =>
        logger.error("an organisation could not be brought up to date", { org: id, cause: error.message }),
    );
  }
}

/** `PRAGMA user_version` by the header alone (https://www.sqlite.org/fileformat.html, offset 60); 0 where there is none yet. */
function schemaOf(path: string): number {
  if (!existsSync(path)) return 0;
  const file = openSync(path, "r");
  try {
    const header = Buffer.alloc(64);
    return readSync(file, header, 0, 64, 0) === 64 ? header.readUInt32BE(60) : 0;
  } finally {
    closeSync(file);
  }
}
