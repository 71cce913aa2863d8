import type { StateKind } from "../domain/audit/kinds.ts";
import type { DirectoryWorld } from "./world.ts";

/** A change that stands here and not yet in its organisation's log. */
export interface Pending {
  id: number;
  org: string;
  kind: StateKind;
  attributes: Record<string, unknown>;
}

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * For whoever has the directory and not the logs (commands, the first run): written in the transaction of the change itself,
 * logged by the server within a second of running, at least once.
 */
export function createOutbox({ db }: DirectoryWorld) {
  return {
    add: (org: string, kind: StateKind, attributes: Record<string, unknown>): void =>
      void db
        .query("INSERT INTO outbox(org, kind, attributes) VALUES(?, ?, ?)")
        .run(org, kind, JSON.stringify(attributes)),
    /** In order of happening. */
    pending: (limit = 100): Pending[] =>
      db
        .query<{ id: number; org: string; kind: StateKind; attributes: string }>(
          "SELECT * FROM outbox ORDER BY id LIMIT ?",
        )
        .all(limit)
        .map(row => ({ ...row, attributes: JSON.parse(row.attributes) as Record<string, unknown> })),
    done: (id: number): void => void db.query("DELETE FROM outbox WHERE id = ?").run(id),
  };
}
