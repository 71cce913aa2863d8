import { refusal } from "../errors.ts";
import type { DirectoryWorld } from "./world.ts";

export interface Organisation {
  id: string;
  name: string;
  plan: string;
  created_at: number;
}

export type Organisations = ReturnType<typeof createOrganisations>;

export function createOrganisations({ db, atomic, now, id }: DirectoryWorld) {
  const find = (org: string) => db.query<Organisation>("SELECT * FROM organisations WHERE id = ?").get(org);
  const change = (changes: number) => {
    if (changes === 0) throw refusal("not_found");
  };
  return {
    create(name: string, plan: string): Organisation {
      const made = { id: id("org"), name, plan, created_at: now() };
      db.query("INSERT INTO organisations(id, name, plan, created_at) VALUES(?, ?, ?, ?)").run(
        made.id,
        name,
        plan,
        made.created_at,
      );
      return made;
    },
    find,
    /** Throws `not_found`. */
    get(org: string): Organisation {
      const found = find(org);
      if (!found) throw refusal("not_found");
      return found;
    },
    rename: (org: string, name: string) =>
      change(db.query("UPDATE organisations SET name = ? WHERE id = ?").run(name, org).changes),
    setPlan: (org: string, plan: string) =>
      change(db.query("UPDATE organisations SET plan = ? WHERE id = ?").run(plan, org).changes),
    /** For good, with all that opens it; returns how many accounts went because they belong to no other. Throws `not_found`. */
    remove: (org: string): number =>
      atomic(() => {
        const own = `SELECT account FROM memberships GROUP BY account HAVING count(*) = 1 AND max(org) = ?`;
        const accounts = db.query<{ account: string }>(own).all(org);
        change(db.query("DELETE FROM organisations WHERE id = ?").run(org).changes);
        db.query("DELETE FROM heads WHERE org = ?").run(org);
        for (const { account } of accounts) db.query("DELETE FROM accounts WHERE id = ?").run(account);
        return accounts.length;
      }),
    all: (): Organisation[] => db.query<Organisation>("SELECT * FROM organisations ORDER BY id").all(),
  };
}
