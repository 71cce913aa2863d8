import { openDatabase } from "../store/sqlite/database.ts";

/** A copy as of one moment, of a file that may be in use: VACUUM INTO reads in one transaction. */
export function copyDatabase(from: string, to: string): void {
  const db = openDatabase(from);
  try {
    db.exec("PRAGMA busy_timeout = 10000");
    db.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
  } finally {
    db.close();
  }
}
