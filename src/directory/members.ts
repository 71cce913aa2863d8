import { keepsAdmin, type Member, type Membership } from "../domain/org/members.ts";
import type { Role } from "../domain/identity/roles.ts";
import { refusal } from "../errors.ts";
import type { DirectoryWorld } from "./world.ts";

/** An organisation a person belongs to. */
export interface Place {
  id: string;
  name: string;
  role: Role;
}

/** Where a list goes on: what the last item had. */
export type MemberKey = [created_at: number, id: string];

const ALL = `
  SELECT a.id, a.email, a.name, m.role, 'active' status, m.created_at
    FROM memberships m JOIN accounts a ON a.id = m.account WHERE m.org = ?1
  UNION ALL
  SELECT id, email, '' name, role, 'invited' status, created_at FROM invitations WHERE org = ?1 AND expires_at > ?2`;

export type Members = ReturnType<typeof createMembers>;

/** `changed` is told whenever a role or a membership is no longer what a session or token shows. */
export function createMembers(world: DirectoryWorld, changed: () => void) {
  const { db, now, atomic } = world;
  const role = (org: string, account: string) =>
    db.query<{ role: Role }>("SELECT role FROM memberships WHERE org = ? AND account = ?").get(org, account)?.role;
  const guardAdmin = (org: string, account: string, next: Role | undefined) => {
    const all = db.query<Membership>("SELECT account, role FROM memberships WHERE org = ?").all(org);
    if (!all.some(one => one.account === account)) throw refusal("not_found");
    if (!keepsAdmin(all, account, next)) throw refusal("last_admin");
  };
  const list = (org: string, limit: number, after: MemberKey = [-1, ""]): Member[] =>
    db
      .query<Member>(`SELECT * FROM (${ALL}) WHERE (created_at, id) > (?3, ?4) ORDER BY created_at, id LIMIT ?5`)
      .all(org, now(), ...after, limit);
  return {
    role,
    /** In the order of joining, keyset: `after` is the key of the last item seen. */
    list,
    /** Throws `not_found`, also for another organisation's. */
    get(org: string, id: string): Member {
      const found = db.query<Member>(`SELECT * FROM (${ALL}) WHERE id = ?3`).get(org, now(), id);
      if (!found) throw refusal("not_found");
      return found;
    },
    /** The organisations of a person, longest membership first. */
    places: (account: string): Place[] =>
      db
        .query<Place>(
          `SELECT o.id, o.name, m.role FROM memberships m JOIN organisations o ON o.id = m.org
           WHERE m.account = ? ORDER BY m.created_at, o.id`,
        )
        .all(account),
    /** Seats taken: members, and invitations that can still be accepted. */
    seats: (org: string): number => db.query<{ n: number }>(`SELECT count(*) n FROM (${ALL})`).get(org, now())!.n,
    /** Throws `conflict` for somebody who is a member already. */
    add(org: string, account: string, as: Role): void {
      if (role(org, account)) throw refusal("conflict", "This person is a member already.");
      db.query("INSERT INTO memberships(account, org, role, created_at) VALUES(?, ?, ?, ?)").run(
        account,
        org,
        as,
        now(),
      );
    },
    /** Acts on the next request of every session. Throws `not_found`, `last_admin`. */
    changeRole(org: string, account: string, next: Role): void {
      atomic(() => {
        guardAdmin(org, account, next);
        db.query("UPDATE memberships SET role = ? WHERE org = ? AND account = ?").run(next, org, account);
      });
      changed();
    },
    /** Ends the sessions and access tokens under it, at once. Throws `not_found`, `last_admin`. */
    remove(org: string, account: string): void {
      atomic(() => {
        guardAdmin(org, account, undefined);
        db.query("DELETE FROM memberships WHERE org = ? AND account = ?").run(org, account);
      });
      changed();
    },
  };
}
