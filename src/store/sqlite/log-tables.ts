import type { StoreWorld } from "../open.ts";
import { Bundles } from "./bundles.ts";
import { Checkpoints } from "./checkpoints.ts";
import type { Database } from "./database.ts";
import { LeafWriter } from "./leaf-writer.ts";
import { Names } from "./names.ts";
import { Salts } from "./salts.ts";
import { Seen } from "./seen.ts";

/** What the parts of the log share: its tables behind their small doors. */
export interface LogTables {
  db: Database;
  world: StoreWorld;
  kinds: Names;
  agents: Names;
  facets: Names;
  bundles: Bundles;
  salts: Salts;
  leaves: LeafWriter;
  seen: Seen;
  checkpoints: Checkpoints;
  /** Blocks before this seq are merged. */
  mergedTo: { seq: number };
}

export function openLogTables(db: Database, world: StoreWorld): LogTables {
  const kinds = new Names(db, "kind");
  const agents = new Names(db, "agent");
  return {
    db,
    world,
    kinds,
    agents,
    facets: new Names(db, "facet"),
    bundles: new Bundles(db),
    salts: new Salts(db, world.random),
    leaves: new LeafWriter(kinds, agents),
    seen: new Seen(db),
    checkpoints: new Checkpoints(db, world),
    mergedTo: { seq: 0 },
  };
}

/** After a rollback, since whatever was remembered may not be so any more; and to be small. */
export function forgetAll(tables: LogTables): void {
  forgetStored(tables);
  tables.seen.forget();
}

/** What can be read again: all but the ids of an open commit. */
export function forgetStored(tables: LogTables): void {
  for (const part of [tables.kinds, tables.agents, tables.facets]) part.forget();
  for (const part of [tables.bundles, tables.salts, tables.leaves, tables.checkpoints]) part.forget();
}
