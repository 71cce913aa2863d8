import { renameSync, rmSync } from "node:fs";
import { type Database, openDatabase } from "../../store/sqlite/database.ts";
import { type Home, makeFolder } from "../../client/home.ts";

/** What a spooled event must have; everything else is passed on as it is. */
export interface SpoolEvent {
  id: string;
  time: string;
  type: string;
}

export interface SpoolLimits {
  events_max: number;
  bytes_max: number;
}
/** A busy person makes some 5,000 events of about 1 KB a day: this holds a month of them. */
export const spoolLimits: SpoolLimits = { events_max: 250_000, bytes_max: 256 * 1024 * 1024 };

export interface Spool {
  /** Kept until the server has it. The same id twice is one event. Beyond the limits the oldest go, and are counted. */
  add(event: SpoolEvent): void;
  /** The oldest events, as many as fit. */
  batch(events_max: number, bytes_max: number): { upto: number; lines: string[] };
  /** The server has everything up to here. */
  acknowledge(upto: number): void;
  depth(): number;
  /** Events lost to the limits since the last call; whoever asks has to say so. */
  takeDropped(): number;
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  /** True once within `ms`, over all processes: who gets it does the work. */
  claim(name: string, now_ms: number, ms: number): boolean;
  close(): void;
}

const schema = `
CREATE TABLE IF NOT EXISTS event (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/**
 * Events on their way to the server, in a file of this installation. Survives a killed process; a power cut may cost the
 * last moments (`synchronous=NORMAL`), which keeps a hook's write under a millisecond.
 */
export function openSpool(home: Home, limits: SpoolLimits = spoolLimits): Spool {
  makeFolder(home.folder);
  try {
    return spoolOn(openFile(home.spool), limits);
  } catch (error) {
    if (!/not a database|malformed/.test((error as Error).message)) throw error;
    return spoolBeside(home, limits);
  }
}

function openFile(path: string): Database {
  const database = openDatabase(path);
  try {
    database.exec("PRAGMA busy_timeout=300; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;");
    if (version(database) === 0) database.exec(`BEGIN IMMEDIATE; ${schema} PRAGMA user_version=1; COMMIT;`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A damaged file is kept aside for whoever wants to look into it, so that what comes from now on is not lost as well. */
function spoolBeside(home: Home, limits: SpoolLimits): Spool {
  const now = new Date();
  renameSync(home.spool, `${home.spool}.damaged-${now.getTime()}`);
  for (const rest of ["-wal", "-shm"]) rmSync(`${home.spool}${rest}`, { force: true });
  const spool = spoolOn(openFile(home.spool), limits);
  spool.add({ id: `spool-damaged:${now.getTime()}`, time: now.toISOString(), type: "spool.damaged" });
  return spool;
}

const version = (database: Database): number =>
  Number(database.query<{ user_version: number }>("PRAGMA user_version").get()?.user_version ?? 0);

function spoolOn(database: Database, limits: SpoolLimits): Spool {
  const fact = (name: string) =>
    database.query<{ value: string }>("SELECT value FROM fact WHERE name = ?").get(name)?.value;
  const setFact = (name: string, value: string) =>
    void database
      .query("INSERT INTO fact (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
      .run(name, value);
  const count = (name: string, by: number) => setFact(name, String(Number(fact(name) ?? 0) + by));
  return {
    add(event) {
      const body = JSON.stringify(event);
      database.transact(() => {
        const added = database
          .query("INSERT OR IGNORE INTO event (id, body) VALUES (?, ?)")
          .run(event.id, body).changes;
        if (added > 0) count("bytes", body.length);
        if (added > 0) shrink(database, limits, count, Number(fact("bytes") ?? 0));
      });
    },
    batch(events_max, bytes_max) {
      const rows = database
        .query<{ seq: number; body: string }>("SELECT seq, body FROM event ORDER BY seq LIMIT ?")
        .all(events_max);
      let bytes = 0;
      const taken = rows.filter(({ body }, n) => (bytes += body.length) <= bytes_max || n === 0);
      return { upto: taken.at(-1)?.seq ?? 0, lines: taken.map(({ body }) => body) };
    },
    acknowledge(upto) {
      database.transact(() => {
        count("bytes", -sizeUpto(database, upto));
        database.query("DELETE FROM event WHERE seq <= ?").run(upto);
      });
    },
    depth: () => Number(database.query<{ n: number }>("SELECT count(*) AS n FROM event").get()?.n ?? 0),
    takeDropped() {
      const dropped = Number(fact("dropped") ?? 0);
      if (dropped > 0) setFact("dropped", "0");
      return dropped;
    },
    get: fact,
    set: setFact,
    claim: (name, now_ms, ms) =>
      database.transact(() => {
        const last = Number(fact(name) ?? 0);
        // A clock set back must not lock the work out.
        if (last <= now_ms && now_ms - last < ms) return false;
        setFact(name, String(now_ms));
        return true;
      }),
    close: () => database.close(),
  };
}

function sizeUpto(database: Database, upto: number): number {
  const row = database
    .query<{ n: number }>("SELECT coalesce(sum(length(body)), 0) AS n FROM event WHERE seq <= ?")
    .get(upto);
  return Number(row?.n ?? 0);
}

/** AUTOINCREMENT numbers have no gaps here, so first and last tell how many there are without counting. */
function shrink(
  database: Database,
  limits: SpoolLimits,
  count: (name: string, by: number) => void,
  bytes: number,
): void {
  const ends = database
    .query<{ first: number; last: number }>("SELECT min(seq) AS first, max(seq) AS last FROM event")
    .get();
  const [first, last] = [Number(ends?.first ?? 0), Number(ends?.last ?? 0)];
  if (last - first < limits.events_max && bytes <= limits.bytes_max) return;
  // A tenth at a time, so that this is rare.
  const upto = first + Math.max(1, Math.floor((last - first) / 10));
  count("bytes", -sizeUpto(database, upto));
  count("dropped", database.query("DELETE FROM event WHERE seq <= ?").run(upto).changes);
}
