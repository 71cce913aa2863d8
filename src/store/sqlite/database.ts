/**
 * The one seam to SQLite: `bun:sqlite` under Bun, `node:sqlite` under Deno, the same SQL in both.
 * Parameters are positional. node:sqlite takes `undefined` and Dates for NULL without a word, hence the narrow `Value`.
 */
export type Value = string | number | bigint | null | Uint8Array;
export type Row = Record<string, Value>;

export interface Statement<R = Row> {
  get(...values: Value[]): R | undefined;
  all(...values: Value[]): R[];
  run(...values: Value[]): { changes: number };
}

export interface Database {
  exec(sql: string): void;
  /** Compiled once per text and kept: call it where it is used. */
  query<R = Row>(sql: string): Statement<R>;
  /** One `BEGIN IMMEDIATE … COMMIT`; rolls back and rethrows when `work` throws. Not re-entrant. */
  transact<T>(work: () => T): T;
  /** A savepoint inside a transaction: undone alone when `work` throws. Made when something is written: most only read. */
  attempt<T>(work: () => T): T;
  serialize(): Uint8Array;
  close(): void;
}

interface Prepared {
  get(...v: never[]): unknown;
  all(...v: never[]): unknown[];
  run(...v: never[]): { changes: number | bigint };
  /** bun:sqlite only; node:sqlite finalises with the database. */
  finalize?(): void;
}

interface Engine {
  exec(sql: string): void;
  prepare(sql: string): Prepared;
  serialize(): Uint8Array;
  close(): void;
}

const underBun = "Bun" in globalThis;
// Not by `import`: from a thread that is sealed (actor/seal.ts) the module is taken away, and these remain.
const bun = underBun ? bunDatabase() : undefined;
const node = underBun ? undefined : await import("node:sqlite");

function bunDatabase() {
  const { Database } = process.getBuiltinModule("bun:sqlite") as unknown as typeof import("bun:sqlite");
  const { deserialize } = Database;
  return { Database, deserialize };
}

let memoryOnly = false;

/** From now on this thread opens no file here, neither by its path nor by a statement. */
export function inMemoryOnly(): void {
  memoryOnly = true;
}

const OPENS_FILES = /\b(attach|vacuum)\b/i;

function allowed(sql: string): string {
  if (memoryOnly && OPENS_FILES.test(sql)) throw new Error("this thread works in memory only");
  return sql;
}

/** `path` may be `:memory:`. Throws the engine's own error when the file cannot be opened. */
export function openDatabase(path: string, options: { readonly?: boolean } = {}): Database {
  if (memoryOnly && path !== ":memory:") throw new Error("this thread works in memory only");
  const readonly = options.readonly ?? false;
  if (bun)
    return wrap(
      new bun.Database(path, readonly ? { readonly } : { create: true, readwrite: true }) as unknown as Engine,
    );
  return wrap(new node!.DatabaseSync(path, { readOnly: readonly }) as unknown as Engine);
}

/** A private in-memory copy of a serialised database. */
export function deserializeDatabase(image: Uint8Array): Database {
  if (bun) return wrap(bun.deserialize(image) as unknown as Engine);
  const database = new node!.DatabaseSync(":memory:") as unknown as Engine & { deserialize(image: Uint8Array): void };
  database.deserialize(image);
  return wrap(database);
}

function wrap(engine: Engine): Database {
  const statements = new Map<string, Statement<never>>();
  const prepared: Prepared[] = [];
  let depth = 0;
  /** Savepoints not made yet, the outermost first. */
  let due: string[] = [];
  const beforeWrite = () => {
    if (due.length === 0) return;
    for (const name of due) engine.exec(`SAVEPOINT ${name}`);
    due = [];
  };
  const settle = <T>(work: () => T, end: () => void, undo: () => void): T => {
    try {
      const result = work();
      end();
      return result;
    } catch (error) {
      // A full disk has undone the whole transaction already, and the first error is the one worth telling.
      try {
        undo();
      } catch {}
      throw error;
    }
  };
  return {
    exec(sql) {
      beforeWrite();
      engine.exec(allowed(sql));
    },
    query<R>(sql: string) {
      let statement = statements.get(sql);
      if (!statement) {
        prepared.push(engine.prepare(allowed(sql)));
        const writes = READS.test(sql) ? undefined : beforeWrite;
        statements.set(sql, (statement = shape(prepared.at(-1)!, writes) as Statement<never>));
      }
      return statement as Statement<R>;
    },
    transact(work) {
      engine.exec("BEGIN IMMEDIATE");
      return settle(
        work,
        () => engine.exec("COMMIT"),
        () => engine.exec("ROLLBACK"),
      );
    },
    attempt(work) {
      const name = `s${depth++}`;
      due.push(name);
      const unlessDue = (sql: string) => void (due.at(-1) === name ? due.pop() : engine.exec(sql));
      try {
        return settle(
          work,
          () => unlessDue(`RELEASE ${name}`),
          () => unlessDue(`ROLLBACK TO ${name}; RELEASE ${name}`),
        );
      } finally {
        depth--;
      }
    },
    serialize: () => engine.serialize(),
    close() {
      // With a statement left, SQLite would keep the file open and write its WAL back whenever that is collected.
      for (const statement of prepared) statement.finalize?.();
      statements.clear();
      engine.close();
    },
  };
}

const READS = /^\s*(select|pragma)\b/i;

function shape(statement: Prepared, beforeWrite: (() => void) | undefined): Statement {
  return {
    get(...values) {
      beforeWrite?.();
      return (statement.get(...(values as never[])) ?? undefined) as Row | undefined;
    },
    all(...values) {
      beforeWrite?.();
      return statement.all(...(values as never[])) as Row[];
    },
    run(...values) {
      beforeWrite?.();
      return { changes: Number(statement.run(...(values as never[])).changes) };
    },
  };
}
