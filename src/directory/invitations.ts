import { emailKey } from "../domain/identity/email.ts";
import type { Role } from "../domain/identity/roles.ts";
import { isToken, makeToken } from "../domain/identity/tokens.ts";
import { INVITATION_DAYS } from "../domain/org/members.ts";
import { refusal } from "../errors.ts";
import { emailOf } from "./accounts.ts";
import { type DirectoryWorld, sha256 } from "./world.ts";

export interface Invitation {
  id: string;
  org: string;
  email: string;
  role: Role;
  invited_by: string;
  created_at: number;
  expires_at: number;
}

const DAY_MS = 86_400_000;
const COLUMNS = "id, org, email, role, invited_by, created_at, expires_at";

export type Invitations = ReturnType<typeof createInvitations>;

export function createInvitations({ db, now, random, id, atomic }: DirectoryWorld) {
  const memberByEmail = (org: string, email: string) =>
    db
      .query("SELECT 1 FROM memberships m JOIN accounts a ON a.id = m.account WHERE m.org = ? AND a.email = ?")
      .get(org, email);
  const drop = (invitation: string) => db.query("DELETE FROM invitations WHERE id = ?").run(invitation).changes === 1;
  return {
    /**
     * The token is known to nobody but the caller from here on. Who has been invited already is invited afresh and the old
     * link is dead. Throws `conflict` for a member.
     */
    create(entry: { org: string; email: string; role: Role; invited_by: string }): {
      invitation: Invitation;
      token: string;
    } {
      const email = emailOf(entry.email);
      const token = makeToken("invitation", random);
      const made: Invitation = {
        ...entry,
        email,
        id: id("inv"),
        created_at: now(),
        expires_at: now() + INVITATION_DAYS * DAY_MS,
      };
      atomic(() => {
        if (memberByEmail(entry.org, email)) throw refusal("conflict", "This person is a member already.");
        db.query("DELETE FROM invitations WHERE org = ? AND email = ?").run(entry.org, email);
        db.query(`INSERT INTO invitations(${COLUMNS}, hash) VALUES(?, ?, ?, ?, ?, ?, ?, ?)`).run(
          ...[made.id, made.org, email, made.role, made.invited_by, made.created_at, made.expires_at],
          sha256(token),
        );
      });
      return { invitation: made, token };
    },
    /** Undefined for a token that is unknown, used, withdrawn or too old. */
    find: (token: string): Invitation | undefined =>
      isToken("invitation", token)
        ? db
            .query<Invitation>(`SELECT ${COLUMNS} FROM invitations WHERE hash = ? AND expires_at > ?`)
            .get(sha256(token), now())
        : undefined,
    /** The oldest open one for an address that somebody has proved to be theirs. */
    openFor: (email: string): Invitation | undefined =>
      db
        .query<Invitation>(`SELECT ${COLUMNS} FROM invitations WHERE email = ? AND expires_at > ? ORDER BY id LIMIT 1`)
        .get(emailKey(email) ?? "", now()),
    /** Makes it unusable: accepted, or withdrawn. False when it was before. */
    drop,
    /** Throws `not_found`, also for another organisation's. */
    withdraw(org: string, invitation: string): void {
      if (db.query("DELETE FROM invitations WHERE org = ? AND id = ?").run(org, invitation).changes === 0)
        throw refusal("not_found");
    },
  };
}
