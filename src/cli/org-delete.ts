import { rmSync } from "node:fs";
import { join } from "node:path";
import { dataPaths, readConfig } from "../config.ts";
import { lockData } from "../directory/data-lock.ts";
import type { Directory } from "../directory/directory.ts";
import type { Organisation } from "../directory/organisations.ts";
import type { Io } from "./io.ts";

/**
 * Deletes an organisation for good: first everything that opens it (so that nothing can be appended any more), then its log.
 * Accounts that belong to no other organisation go with it. The server must not run. Returns how many accounts went.
 */
export function deleteOrg({ organisations }: Directory, org: Organisation, io: Io): number {
  const config = readConfig(io.env);
  const unlock = lockData(config.data);
  try {
    const accounts = organisations.remove(org.id);
    const file = join(dataPaths(config).orgs, `${org.id}.sqlite`);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
    return accounts;
  } finally {
    unlock();
  }
}
