import { isToken, makeToken } from "../domain/identity/tokens.ts";
import { refusal } from "../errors.ts";
import { type DirectoryWorld, sha256 } from "./world.ts";

/** Lets machines register agents without a person's press (CI, device management). */
export interface EnrolmentKey {
  id: string;
  name: string;
  uses_left: number;
  created_by: string;
  created_at: number;
  expires_at: number;
  last_used_at: number | null;
}

const COLUMNS = "id, name, uses_left, created_by, created_at, expires_at, last_used_at";
const KEYS_MAX = 200;

export type EnrolmentKeys = ReturnType<typeof createEnrolmentKeys>;

export function createEnrolmentKeys({ db, now, random, id }: DirectoryWorld) {
  const list = (org: string): EnrolmentKey[] =>
    db.query<EnrolmentKey>(`SELECT ${COLUMNS} FROM enrolment_keys WHERE org = ? ORDER BY id DESC`).all(org);
  return {
    /** The key itself is shown once. Throws `conflict` beyond 200. */
    create(entry: {
      org: string;
      name: string;
      uses: number;
      expires_in_s: number;
      created_by: string;
    }): EnrolmentKey & { key: string } {
      if (list(entry.org).length >= KEYS_MAX)
        throw refusal("conflict", `There are ${KEYS_MAX} keys already. Delete old ones.`);
      const key = makeToken("enrolment", random);
      const { name, created_by, uses: uses_left } = entry;
      const made = {
        id: id("enr"),
        name,
        uses_left,
        created_by,
        created_at: now(),
        expires_at: now() + entry.expires_in_s * 1000,
      };
      db.query(
        "INSERT INTO enrolment_keys(id, org, name, hash, uses_left, created_by, created_at, expires_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
      ).run(...[made.id, entry.org, name, sha256(key)], ...[uses_left, created_by, made.created_at, made.expires_at]);
      return { ...made, last_used_at: null, key };
    },
    list,
    /** Throws `not_found`, also for another organisation's. */
    revoke(org: string, key_id: string): void {
      if (db.query("DELETE FROM enrolment_keys WHERE org = ? AND id = ?").run(org, key_id).changes === 0)
        throw refusal("not_found");
    },
    /** Takes one use. Undefined for a key that is unknown, used up, revoked or too old. */
    use(key: string): { id: string; org: string } | undefined {
      if (!isToken("enrolment", key)) return undefined;
      return db
        .query<{ id: string; org: string }>(
          `UPDATE enrolment_keys SET uses_left = uses_left - 1, last_used_at = ?2
           WHERE hash = ?1 AND uses_left > 0 AND expires_at > ?2 RETURNING id, org`,
        )
        .get(sha256(key), now());
    },
    /** Gives a use back when the agent could not be registered after all. */
    giveBack: (key_id: string): void =>
      void db.query("UPDATE enrolment_keys SET uses_left = uses_left + 1 WHERE id = ?").run(key_id),
  };
}
