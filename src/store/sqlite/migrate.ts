import { listAssets, readAsset } from "../../assets.ts";
import type { Database } from "./database.ts";

/** A file that this version cannot bring up to date. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/** Where the steps come from: what is shipped, unless a test brings its own. */
const shipped = { list: listAssets, read: readAsset };

/**
 * Brings a database to the newest schema: the numbered files of `folder` (`0001-name.sql`) it has not seen, in one transaction.
 * `PRAGMA user_version` counts them, so two processes may start at once. Throws `MigrationError` for a file written by a newer
 * version.
 */
export function migrate(db: Database, folder: string, steps = shipped): void {
  const files = steps.list(folder).filter(name => name.endsWith(".sql"));
  for (const [index, name] of files.entries())
    if (Number(name.slice(0, 4)) !== index + 1) throw new MigrationError(`${folder}/${name} is out of order.`);
  const version = () => Number(db.query<{ user_version: number }>("PRAGMA user_version").get()!.user_version);
  if (version() > files.length)
    throw new MigrationError(
      `This data was written by a newer version of Gatehouse (schema ${version()}, this one knows ${files.length}). Start that one, or restore a backup of this one.`,
    );
  if (version() === files.length) return;
  db.transact(() => {
    for (const name of files.slice(version())) db.exec(steps.read(`${folder}/${name}`));
    db.exec(`PRAGMA user_version = ${files.length}`);
  });
}
