import type { LogHead } from "../domain/audit/leaf.ts";
import type { DirectoryWorld } from "./world.ts";

export type Heads = ReturnType<typeof createHeads>;

/**
 * The newest head of every log, kept outside the log: a log found behind it has lost entries. A head is noted after its
 * commit and written with the next flush, so the row may lag a little, never lead.
 */
export function createHeads({ db }: DirectoryWorld) {
  const noted = new Map<string, LogHead>();
  const stored = (org: string): LogHead | undefined => {
    const row = db.query<LogHead>("SELECT seq, hash FROM heads WHERE org = ?").get(org);
    return row && { seq: row.seq, hash: row.hash };
  };
  const recorded = (org: string) => noted.get(org) ?? stored(org);
  return {
    recorded,
    /** False when it does not follow the one on record (shorter, or another history at the same place): nothing is noted. */
    note(org: string, head: LogHead): boolean {
      const last = recorded(org);
      if (last && (head.seq < last.seq || (head.seq === last.seq && head.hash !== last.hash))) return false;
      noted.set(org, head);
      return true;
    },
    /** After a restore from backup: the record starts from this head. */
    reset(org: string, head: LogHead): void {
      noted.delete(org);
      db.query("INSERT OR REPLACE INTO heads(org, seq, hash) VALUES(?, ?, ?)").run(org, head.seq, head.hash);
    },
    /** Compare and swap: a row only moves forward. Returns the organisations where another process has been further. */
    flush(): string[] {
      const lost: string[] = [];
      for (const [org, { seq, hash }] of noted) {
        const { changes } = db
          .query(
            `INSERT INTO heads(org, seq, hash) VALUES(?1, ?2, ?3)
             ON CONFLICT(org) DO UPDATE SET seq = ?2, hash = ?3 WHERE ?2 > seq OR (?2 = seq AND ?3 = hash)`,
          )
          .run(org, seq, hash);
        if (changes === 0) lost.push(org);
      }
      return lost;
    },
    /** What was flushed is durable enough to be forgotten here. */
    flushed: (): void => noted.clear(),
  };
}
