import type { Database } from "./database.ts";

/** How far de-duplication reaches: an id is forgotten only when it is beyond both. */
export interface SeenReach {
  days: number;
  ids: number;
}

const stepRows = 2_000;

/** Forgets some of the expired ids. False when there are none. Inside a transaction. */
export function expire(db: Database, today: number, reach: SeenReach): boolean {
  const until = expiredUntil(db, today, reach);
  if (until === undefined) return false;
  const runs = "DELETE FROM seen_run WHERE rowid IN (SELECT rowid FROM seen_run WHERE day <= ? LIMIT 100)";
  if (db.query(runs).run(until).changes > 0) return true;
  const singles = `DELETE FROM seen WHERE (agent, id) IN (SELECT agent, id FROM seen WHERE day <= ? LIMIT ${stepRows})`;
  if (db.query(singles).run(until).changes > 0) return true;
  db.query("DELETE FROM seen_day WHERE day <= ?").run(until);
  return true;
}

/** The last day all of whose ids are older than `reach.days` and outside the newest `reach.ids`. */
function expiredUntil(db: Database, today: number, reach: SeenReach): number | undefined {
  let newer = 0;
  for (const { day, n } of db
    .query<{ day: number; n: number }>("SELECT day, n FROM seen_day ORDER BY day DESC")
    .all()) {
    if (day < today - reach.days && newer >= reach.ids) return day;
    newer += n;
  }
  return undefined;
}
