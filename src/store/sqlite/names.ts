import type { Database } from "./database.ts";

const cacheMax = 20_000;

/** Strings that repeat, kept once and meant by a number from 1 on; 0 means none. */
export class Names {
  #db: Database;
  #kind: string;
  #ids = new Map<string, number>();
  #names = new Map<number, string>();
  #aliases = new Map<string, number>();

  constructor(db: Database, kind: "kind" | "agent" | "facet") {
    this.#db = db;
    this.#kind = kind;
  }

  /** The number of a name, given to it now if it is new. Inside a transaction. */
  intern(name: string): number {
    const id = this.find(name);
    if (id) return id;
    const sql = "INSERT INTO name SELECT ?1, coalesce(max(id), 0) + 1, ?2 FROM name WHERE kind = ?1 RETURNING id";
    return this.#keep(name, this.#db.query<{ id: number }>(sql).get(this.#kind, name)!.id);
  }

  /** `intern`, by something shorter that stands for the name. */
  internAs(alias: string, name: () => string): number {
    const known = this.#aliases.get(alias);
    if (known !== undefined) return known;
    const id = this.intern(name());
    this.#aliases.set(alias, id);
    return id;
  }

  /** 0 when nobody has used the name. */
  find(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const sql = "SELECT id FROM name WHERE kind = ? AND name = ?";
    const row = this.#db.query<{ id: number }>(sql).get(this.#kind, name);
    return row ? this.#keep(name, row.id) : 0;
  }

  /** Undefined for 0. Throws when the number stands for nothing: a damaged file. */
  name(id: number): string | undefined {
    if (id === 0) return undefined;
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const sql = "SELECT name FROM name WHERE kind = ? AND id = ?";
    const row = this.#db.query<{ name: string }>(sql).get(this.#kind, id);
    if (!row) throw new Error(`no ${this.#kind} has number ${id}`);
    this.#keep(row.name, id);
    return row.name;
  }

  /** Every name with its number, oldest first. */
  all(): { id: number; name: string }[] {
    const sql = "SELECT id, name FROM name WHERE kind = ? ORDER BY id";
    return this.#db.query<{ id: number; name: string }>(sql).all(this.#kind);
  }

  /** After a rollback: numbers given since may be taken back. */
  forget(): void {
    this.#ids.clear();
    this.#names.clear();
    this.#aliases.clear();
  }

  #keep(name: string, id: number): number {
    if (this.#ids.size >= cacheMax) this.forget();
    this.#ids.set(name, id);
    this.#names.set(id, name);
    return id;
  }
}
