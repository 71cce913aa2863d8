import type { Role } from "../domain/identity/roles.ts";
import { refusal } from "../errors.ts";
import type { DirectoryWorld } from "./world.ts";

export const SESSION_S = 12 * 3600;
const USER_AGENT_MAX = 300;

/** A signed-in person, in one organisation at a time, with the role of this moment. */
export interface SignedIn {
  kind: "person";
  account: string;
  email: string;
  name: string;
  org: string;
  role: Role;
  demo: boolean;
  /** The session behind it; absent for an access token and for a token of the identity provider. */
  session?: string;
  /** The access token behind it. */
  token?: string;
}

export interface Session {
  id: string;
  account: string;
  org: string;
  ip: string;
  user_agent: string;
  created_at: number;
  expires_at: number;
  last_seen_at: number;
}

interface Kept {
  person: SignedIn;
  expires_at: number;
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(world: DirectoryWorld) {
  const { db, now, id } = world;
  const memo = world.memo<Kept>();
  /** Last seen, written with the next flush: no commit for every request. */
  const seen = new Map<string, number>();
  const load = (sid: string): Kept | undefined => {
    const row = db.query<PersonRow & { expires_at: number }>(PERSON).get(sid);
    return row && { person: { ...personOf(row), session: sid }, expires_at: row.expires_at };
  };
  const end = (where: string, ...values: string[]) => {
    const { changes } = db.query(`DELETE FROM sessions WHERE ${where}`).run(...values);
    memo.clear();
    return changes;
  };
  return {
    /** Twelve hours, in one organisation. */
    issue(entry: { account: string; org: string; ip: string; user_agent: string }): Session {
      const created_at = now();
      const times = { created_at, expires_at: created_at + SESSION_S * 1000, last_seen_at: created_at };
      const made = { id: id("ses"), ...entry, user_agent: entry.user_agent.slice(0, USER_AGENT_MAX), ...times };
      db.query(
        "INSERT INTO sessions(id, account, org, ip, user_agent, created_at, expires_at, last_seen_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
      ).run(
        ...[made.id, made.account, made.org, made.ip, made.user_agent],
        ...[made.created_at, made.expires_at, made.last_seen_at],
      );
      return made;
    },
    /** Who stands behind a session id at this moment; undefined once it has ended. */
    lookup(sid: string): SignedIn | undefined {
      const kept = memo.get(sid, () => load(sid));
      if (!kept || now() >= kept.expires_at) return undefined;
      seen.set(sid, now());
      return kept.person;
    },
    list: (account: string): Session[] =>
      db
        .query<Session>("SELECT * FROM sessions WHERE account = ? AND expires_at > ? ORDER BY id DESC LIMIT 200")
        .all(account, now())
        .map(session => ({ ...session, last_seen_at: seen.get(session.id) ?? session.last_seen_at })),
    /** Of this person; throws `not_found`. */
    revoke(account: string, sid: string): void {
      if (end("account = ? AND id = ?", account, sid) === 0) throw refusal("not_found");
    },
    revokeAll: (account: string): void => void end("account = ?", account),
    /** A role, a membership or a name has changed: ask again. */
    refresh: (): void => memo.clear(),
    flush(): string[] {
      for (const [sid, at] of seen) db.query("UPDATE sessions SET last_seen_at = ? WHERE id = ?").run(at, sid);
      return [];
    },
    flushed: (): void => seen.clear(),
  };
}

const PERSON = `
  SELECT s.account, a.email, a.name, s.org, m.role, a.demo, s.expires_at FROM sessions s
    JOIN memberships m ON m.account = s.account AND m.org = s.org
    JOIN accounts a ON a.id = s.account
   WHERE s.id = ?`;

export interface PersonRow {
  account: string;
  email: string;
  name: string;
  org: string;
  role: Role;
  demo: number;
}

export const personOf = ({ account, email, name, org, role, demo }: PersonRow): SignedIn => ({
  kind: "person",
  ...{ account, email, name, org, role },
  demo: demo === 1,
});
