import { createHash, hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createIds, type MakeId } from "../domain/identity/ids.ts";
import { lazily } from "../domain/lazily.ts";
import type { Database } from "../store/sqlite/database.ts";

/** What every part of the directory works with. */
export interface DirectoryWorld {
  db: Database;
  /** Unix ms. */
  now(): number;
  random(bytes: number): Uint8Array;
  id: MakeId;
  /** One transaction; inside another one a part of it. */
  atomic<T>(work: () => T): T;
  memo<V extends object>(): Memo<V>;
}

/**
 * Answers that are asked for with every request: own changes show at once, those of another process ten milliseconds later at
 * most.
 */
export interface Memo<V> {
  get(key: string, load: () => V | undefined): V | undefined;
  clear(): void;
}

const MEMO_MAX = 20_000;
/** A look costs as much as everything else a caller is known by: locks of the file are taken. */
const LOOK_MS = 10;

export function createWorld(db: Database, now: () => number, random: (bytes: number) => Uint8Array): DirectoryWorld {
  let inside = false;
  const atomic = <T>(work: () => T): T => {
    if (inside) return db.attempt(work);
    inside = true;
    try {
      return db.transact(work);
    } finally {
      inside = false;
    }
  };
  return { db, now, random, id: createIds(now, random), atomic, memo: () => createMemo(db) };
}

/**
 * Own changes forget what they touch; a change by another process shows in `PRAGMA data_version` (it counts the commits of
 * others) and empties the whole. What is not there is not remembered.
 */
function createMemo<V extends object>(db: Database): Memo<V> {
  const kept = lazily(() => new LRUCache<string, V>({ max: MEMO_MAX }));
  const version = db.query<{ data_version: number }>("PRAGMA data_version");
  let seen = -1;
  let looked = false;
  const look = () => {
    looked = true;
    setTimeout(() => void (looked = false), LOOK_MS);
    const current = version.get()!.data_version;
    if (current !== seen) kept().clear();
    seen = current;
  };
  return {
    get(key, load) {
      if (!looked) look();
      const known = kept().get(key);
      if (known) return known;
      const loaded = load();
      if (loaded) kept().set(key, loaded);
      return loaded;
    },
    clear: () => kept().clear(),
  };
}

export const sha256 = (text: string): Uint8Array => new Uint8Array(createHash("sha256").update(text).digest());
export const sha256Hex = (text: string): string => hash("sha256", text, "hex");
