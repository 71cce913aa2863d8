import { refusal } from "../../errors.ts";
import type { StorePlace, StoreWorld } from "../open.ts";
import type { OrgStore } from "../org-store.ts";
import type { Projection } from "../projection.ts";
import { type Database, deserializeDatabase, openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { SqliteOrgStore } from "./org-store.ts";
import { syncWal } from "./wal.ts";

const PAGE_BYTES = 8192;
/** Recomputed after a failure: what the last commits can have touched. */
const END_ENTRIES = 16_384;
// secure_delete: what retention erases must not linger in free pages.
const settings = `
PRAGMA page_size = ${PAGE_BYTES};
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA wal_autocheckpoint = 4000;
PRAGMA cache_size = -16384;
PRAGMA secure_delete = ON;
`;

export function openSqliteStore(
  place: StorePlace,
  world: StoreWorld,
  projections: (db: Database) => readonly Projection[] = () => [],
): OrgStore {
  let db: Database | undefined;
  try {
    db = "image" in place ? copyOf(place.image) : openDatabase(place.path);
    db.exec("image" in place ? inMemory(place.bytes_max) : settings);
    if ("path" in place) syncWal(db);
    migrate(db, "src/store/sqlite/migrations");
    const failed = "path" in place && place.after_failure === true;
    // A page whose sync has failed counts as clean to the system, though it is not on disk: only writing it again helps.
    if (failed) db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const store = new SqliteOrgStore(db, world, projections);
    if (failed) checkEnd(store);
    return store;
  } catch (error) {
    db?.close();
    throw Object.assign(refusal("unavailable"), { cause: error });
  }
}

function checkEnd(store: OrgStore): void {
  const steps = store.log.verify({ from: Math.max(0, store.log.head().size - END_ENTRIES) });
  let step = steps.next();
  while (!step.done) step = steps.next();
  if (!step.value.valid) store.freeze(`its end does not verify: ${JSON.stringify(step.value.first_break)}`);
}

/** The pages are in memory already: a large cache would hold them twice. */
function inMemory(bytes_max: number | undefined): string {
  const limit = bytes_max === undefined ? "" : `PRAGMA max_page_count = ${Math.ceil(bytes_max / PAGE_BYTES)};`;
  return `PRAGMA journal_mode = MEMORY; PRAGMA cache_size = -512; ${limit}`;
}

const prepared = new WeakMap<Uint8Array, Uint8Array>();

/** The engine takes a copy of the bytes, so that one preparation serves every copy. */
function copyOf(image: Uint8Array): Database {
  const known = prepared.get(image);
  if (known) return deserializeDatabase(known);
  const bytes = image.slice();
  // Header bytes 18 and 19 say WAL, which a database in memory cannot have.
  bytes[18] = bytes[19] = 1;
  const db = deserializeDatabase(bytes);
  // Notes in it were signed for the store it was taken of: a copy begins its own.
  db.exec("DELETE FROM checkpoint");
  prepared.set(image, db.serialize());
  return db;
}
