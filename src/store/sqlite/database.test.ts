import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deserializeDatabase, openDatabase } from "./database.ts";

const fresh = () => {
  const db = openDatabase(":memory:");
  db.exec("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB) STRICT");
  return db;
};

test("a row that is not there is undefined, and bytes come back as bytes", () => {
  const db = fresh();
  expect(db.query("SELECT * FROM t").get()).toBeUndefined();
  expect(db.query("INSERT INTO t VALUES(?, ?)").run(1, new Uint8Array([1, 2])).changes).toBe(1);
  expect(db.query<{ b: Uint8Array }>("SELECT b FROM t").get()?.b).toEqual(new Uint8Array([1, 2]));
});

test("a transaction that throws leaves nothing, a savepoint that throws leaves the rest", () => {
  const db = fresh();
  const insert = (a: number) => db.query("INSERT INTO t VALUES(?, NULL)").run(a);
  const fail = () => {
    throw new Error("no");
  };
  expect(() => db.transact(() => (insert(1), fail()))).toThrow("no");
  db.transact(() => {
    insert(2);
    expect(() => db.attempt(() => (insert(3), fail()))).toThrow("no");
    db.attempt(() => insert(4));
  });
  expect(
    db
      .query<{ a: number }>("SELECT a FROM t")
      .all()
      .map(row => row.a),
  ).toEqual([2, 4]);
});

test("savepoints are made with what is written, however it is written, and undone from the inside out", () => {
  const db = fresh();
  const run = (a: number) => db.query("INSERT INTO t VALUES(?, NULL)").run(a);
  const returning = (a: number) => db.query("INSERT INTO t VALUES(?, NULL) RETURNING a").get(a);
  const exec = (a: number) => db.exec(`INSERT INTO t VALUES(${a}, NULL)`);
  const read = () => db.query("SELECT a FROM t").all().length;
  const failing = (work: () => unknown) =>
    expect(() =>
      db.attempt(() => {
        work();
        throw new Error("no");
      }),
    ).toThrow("no");
  let next = 0;
  for (const write of [run, returning, exec]) {
    db.transact(() => {
      write(++next);
      failing(read);
      failing(() => write(++next));
      db.attempt(() => {
        failing(() => (write(++next), failing(() => write(++next))));
        db.attempt(read);
        write(++next);
      });
      failing(() => db.attempt(() => write(++next)));
    });
  }
  failing(() => run(++next));
  db.attempt(() => run(++next));
  const kept = db.query<{ a: number }>("SELECT a FROM t ORDER BY a").all();
  expect(kept.map(({ a }) => a)).toEqual([1, 5, 7, 11, 13, 17, 20]);
});

test("a serialised copy is independent", () => {
  const db = fresh();
  db.query("INSERT INTO t VALUES(7, NULL)").run();
  const copy = deserializeDatabase(db.serialize());
  copy.exec("DELETE FROM t");
  expect(db.query("SELECT count(*) n FROM t").get()).toEqual({ n: 1 });
  expect(copy.query("SELECT count(*) n FROM t").get()).toEqual({ n: 0 });
});

test("once closed, a database is one file, its WAL written back", () => {
  const folder = mkdtempSync(join(tmpdir(), "database-"));
  const db = openDatabase(join(folder, "a.sqlite"));
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t(a INTEGER)");
  for (let i = 0; i < 3; i++) db.query("INSERT INTO t VALUES(?)").run(i);
  db.query("SELECT * FROM t").get();
  db.close();
  expect(readdirSync(folder)).toEqual(["a.sqlite"]);
  rmSync(folder, { recursive: true });
});
