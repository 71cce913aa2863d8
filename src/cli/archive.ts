import { createHash } from "node:crypto";
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Database, openDatabase } from "../store/sqlite/database.ts";

/** One file that holds others: a SQLite database of parts with the hash of each file, so that a damaged one is found before it is used. */
const SCHEMA = `
CREATE TABLE file(name TEXT PRIMARY KEY, mode INTEGER NOT NULL, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL) STRICT;
CREATE TABLE part(name TEXT, number INTEGER, bytes BLOB NOT NULL, PRIMARY KEY(name, number)) STRICT;
CREATE TABLE about(version TEXT NOT NULL, made_at TEXT NOT NULL) STRICT;`;
const PART_BYTES = 16 * 1024 * 1024;
/** Names a restore may write: nothing outside its folder. */
const NAME = /^(directory\.sqlite|orgs\/[A-Za-z0-9_-]+\.sqlite|keys\/[a-z]+\.key)$/;

/** The archive is not one of ours, or not as it was written. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

export function createArchive(path: string, about: { version: string; made_at: string }): Database {
  if (existsSync(path)) throw new ArchiveError(`${path} exists already.`);
  closeSync(openSync(path, "wx", 0o600));
  const db = openDatabase(path);
  db.exec(SCHEMA);
  db.query("INSERT INTO about VALUES(?, ?)").run(about.version, about.made_at);
  return db;
}

export function put(db: Database, name: string, path: string): void {
  if (!NAME.test(name)) throw new ArchiveError(`${name} is not a file of a data directory.`);
  const hash = createHash("sha256");
  const file = openSync(path, "r");
  let bytes = 0;
  try {
    for (let number = 0; ; number++) {
      const part = new Uint8Array(PART_BYTES);
      const length = readSync(file, part, 0, PART_BYTES, bytes);
      if (length === 0) break;
      hash.update(part.subarray(0, length));
      db.query("INSERT INTO part VALUES(?, ?, ?)").run(name, number, part.slice(0, length));
      bytes += length;
    }
  } finally {
    closeSync(file);
  }
  const mode = statSync(path).mode & 0o777;
  db.query("INSERT INTO file VALUES(?, ?, ?, ?)").run(name, mode, bytes, hash.digest("hex"));
}

export interface Archive {
  version: string;
  made_at: string;
  names: string[];
  /** Writes every file below `folder`. */
  unpack(folder: string): void;
  close(): void;
}

/** Opens and checks all of it; throws `ArchiveError`. */
export function openArchive(path: string): Archive {
  if (!existsSync(path)) throw new ArchiveError(`There is no ${path}.`);
  const db = openDatabase(path, { readonly: true });
  try {
    const about = db.query<{ version: string; made_at: string }>("SELECT version, made_at FROM about").get()!;
    const files = db.query<FileRow>("SELECT name, mode, bytes, sha256 FROM file ORDER BY name").all();
    for (const file of files) check(db, file);
    return {
      ...about,
      names: files.map(file => file.name),
      unpack: folder => files.forEach(file => void write(db, file, join(folder, file.name))),
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError(`${path} is not a backup, or damaged.`);
  }
}

interface FileRow {
  name: string;
  mode: number;
  bytes: number;
  sha256: string;
}

function* parts(db: Database, { name }: FileRow): Generator<Uint8Array> {
  const one = db.query<{ bytes: Uint8Array }>("SELECT bytes FROM part WHERE name = ? AND number = ?");
  for (let number = 0; ; number++) {
    const part = one.get(name, number);
    if (!part) return;
    yield part.bytes;
  }
}

function check(db: Database, file: FileRow): void {
  if (!NAME.test(file.name)) throw new ArchiveError("The backup names a file outside a data directory.");
  const hash = createHash("sha256");
  for (const part of parts(db, file)) hash.update(part);
  if (hash.digest("hex") !== file.sha256) throw new ArchiveError(`${file.name} is damaged in the backup.`);
}

function write(db: Database, file: FileRow, path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const handle = openSync(path, "wx", 0o600);
  try {
    for (const part of parts(db, file)) writeSync(handle, part);
  } finally {
    closeSync(handle);
  }
  chmodSync(path, file.mode & 0o700);
}
