import { refusal } from "../../errors.ts";
import type { AuditStats } from "../audit-stats.ts";
import type { Log } from "../log.ts";
import type { StoreWorld } from "../open.ts";
import type { OrgStore } from "../org-store.ts";
import type { Change, Projection } from "../projection.ts";
import { AuditCounters } from "./audit-stats.ts";
import type { Bundle } from "./bundles.ts";
import { isState } from "./columns.ts";
import type { Database } from "./database.ts";
import { BundleReader } from "./entries.ts";
import { SqliteLog } from "./log.ts";
import { forgetAll, type LogTables, openLogTables } from "./log-tables.ts";
import { createNouns, type Nouns } from "./nouns.ts";

/** One organisation in one SQLite database: the log, and the projections beside it. */
export class SqliteOrgStore implements OrgStore {
  readonly log: Log;
  readonly audit: AuditStats;
  readonly agents: Nouns["agents"];
  readonly compliance: Nouns["compliance"];
  readonly drift: Nouns["drift"];
  readonly policies: Nouns["policies"];
  readonly posture: Nouns["posture"];
  readonly settings: Nouns["settings"];
  #db: Database;
  #world: StoreWorld;
  #tables: LogTables;
  #log: SqliteLog;
  #counters: AuditCounters;
  #projections: readonly Projection[];

  constructor(db: Database, world: StoreWorld, others: (db: Database) => readonly Projection[] = () => []) {
    const tables = openLogTables(db, world);
    this.#db = db;
    this.#world = world;
    this.#tables = tables;
    this.#counters = new AuditCounters(
      tables,
      () => this.#log.head().size,
      seen => this.drift.called(seen),
    );
    const { nouns, projections } = createNouns(db, this.#counters);
    this.agents = nouns.agents;
    this.compliance = nouns.compliance;
    this.drift = nouns.drift;
    this.policies = nouns.policies;
    this.posture = nouns.posture;
    this.settings = nouns.settings;
    this.#projections = [...projections, ...others(db)];
    this.#log = new SqliteLog(tables, {
      sealed: columns => this.#counters.add(columns),
      changed: change => this.#apply(change),
    });
    this.log = this.#log;
    this.audit = this.#counters;
  }

  get frozen(): string | undefined {
    return this.#log.frozen;
  }

  freeze(reason: string): void {
    this.#log.frozen ??= reason;
  }

  commit<T>(work: () => T): T {
    if (this.frozen !== undefined) throw refusal("read_only");
    this.#log.begin(this.#world.now());
    try {
      const result = this.#db.transact(() => {
        const done = work();
        this.#log.seal();
        return done;
      });
      this.#log.end();
      return result;
    } catch (error) {
      this.#counters.forget();
      this.#undone();
      this.#log.rolledBack();
      throw error;
    }
  }

  attempt<T>(work: () => T): T {
    const mark = this.#log.mark();
    try {
      return this.#db.attempt(work);
    } catch (error) {
      this.#undone();
      this.#log.backTo(mark);
      throw error;
    }
  }

  *rebuild(): Generator<number, void> {
    this.#db.exec("BEGIN IMMEDIATE");
    let done = false;
    try {
      for (const projection of [this.#counters, ...this.#projections]) projection.reset();
      for (const bundle of this.#tables.bundles.range(0, this.#log.head().size)) {
        this.#counters.add(bundle.columns);
        for (const change of this.#changes(bundle)) this.#apply(change);
        yield bundle.first + bundle.n;
      }
      this.#db.exec("COMMIT");
      done = true;
    } finally {
      if (!done) {
        this.#db.exec("ROLLBACK");
        this.#counters.forget();
        this.#undone();
      }
    }
  }

  *#changes(bundle: Bundle): Generator<Change> {
    const reader = new BundleReader(this.#tables, bundle);
    for (let i = 0; i < bundle.n; i++) {
      if (!isState(bundle.columns.flags[i]!)) continue;
      const { seq, ts, kind, agent, body } = reader.entry(i);
      if (body !== null) yield { seq, ts, kind, ...(agent === undefined ? {} : { agent }), body };
    }
  }

  #apply(change: Change): void {
    for (const projection of this.#projections) projection.apply(change);
  }

  #undone(): void {
    for (const projection of this.#projections) projection.forget?.();
  }

  serialize(): Uint8Array {
    return this.#db.serialize();
  }

  rest(): void {
    forgetAll(this.#tables);
    this.#counters.rest();
    this.#db.exec("PRAGMA shrink_memory");
  }

  sizeBytes(): number {
    const sql = "SELECT page_count * page_size bytes FROM pragma_page_count(), pragma_page_size()";
    return this.#db.query<{ bytes: number }>(sql).get()!.bytes;
  }

  close(): void {
    this.#db.close();
  }
}
