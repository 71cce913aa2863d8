import { diskTrouble } from "../disk-trouble.ts";
import type { Database } from "./database.ts";

/**
 * Makes durable what a process that was killed has written and perhaps not synced: whoever reads it must not lose it. A
 * checkpoint begins with that sync; what it then copies into the database may wait where there is no room.
 */
export function syncWal(db: Database): void {
  try {
    db.exec("PRAGMA wal_checkpoint");
  } catch (error) {
    if (diskTrouble(error) !== "full") throw error;
  }
}
