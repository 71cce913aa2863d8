import { join } from "node:path";
import { openDatabase } from "../store/sqlite/database.ts";

/** Another process writes the logs of this data directory. */
export class DataLockedError extends Error {
  override readonly name = "DataLockedError";
}

/** One writer a data directory. The operating system frees the lock however the process ends. Throws `DataLockedError`. */
export function lockData(folder: string): () => void {
  const db = openDatabase(join(folder, "lock.sqlite"));
  try {
    db.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch {
    db.close();
    throw new DataLockedError(
      `Another Gatehouse is running on ${folder}. Stop it first, or choose another directory with --data.`,
    );
  }
  return () => db.close();
}
