import { isToken, makeToken } from "../domain/identity/tokens.ts";
import { refusal } from "../errors.ts";
import { type PersonRow, personOf, type SignedIn } from "./sessions.ts";
import { type DirectoryWorld, sha256, sha256Hex } from "./world.ts";

/** A named token a script acts with as the person who made it, with that person's role of the moment. */
export interface AccessToken {
  id: string;
  name: string;
  created_at: number;
  expires_at: number;
  last_used_at: number | null;
}

interface Kept {
  person: SignedIn;
  id: string;
  expires_at: number;
}

export const ACCESS_TOKENS_MAX = 50;
const COLUMNS = "id, name, created_at, expires_at, last_used_at";

export type AccessTokens = ReturnType<typeof createAccessTokens>;

export function createAccessTokens(world: DirectoryWorld) {
  const { db, now, random, id } = world;
  const memo = world.memo<Kept>();
  const used = new Map<string, number>();
  const load = (token: string): Kept | undefined => {
    const row = db.query<PersonRow & { id: string; expires_at: number }>(PERSON).get(sha256(token));
    return row && { person: { ...personOf(row), token: row.id }, id: row.id, expires_at: row.expires_at };
  };
  const list = (account: string, org: string): AccessToken[] =>
    db
      .query<AccessToken>(`SELECT ${COLUMNS} FROM access_tokens WHERE account = ? AND org = ? ORDER BY id DESC`)
      .all(account, org)
      .map(token => ({ ...token, last_used_at: used.get(token.id) ?? token.last_used_at }));
  return {
    /** The token itself is shown once. Throws `conflict` beyond 50. */
    create(entry: {
      account: string;
      org: string;
      name: string;
      expires_in_s: number;
    }): AccessToken & { token: string } {
      if (list(entry.account, entry.org).length >= ACCESS_TOKENS_MAX)
        throw refusal("conflict", `There are ${ACCESS_TOKENS_MAX} tokens already. Delete one that is no longer used.`);
      const token = makeToken("access", random);
      const made = {
        id: id("tok"),
        name: entry.name,
        created_at: now(),
        expires_at: now() + entry.expires_in_s * 1000,
      };
      db.query(
        "INSERT INTO access_tokens(id, account, org, name, hash, created_at, expires_at) VALUES(?, ?, ?, ?, ?, ?, ?)",
      ).run(made.id, entry.account, entry.org, made.name, sha256(token), made.created_at, made.expires_at);
      return { ...made, last_used_at: null, token };
    },
    lookup(token: string): SignedIn | undefined {
      if (!isToken("access", token)) return undefined;
      const kept = memo.get(sha256Hex(token), () => load(token));
      if (!kept || now() >= kept.expires_at) return undefined;
      used.set(kept.id, now());
      return kept.person;
    },
    list,
    /** Dead with the next request. Throws `not_found`, also for another person's. */
    revoke(account: string, org: string, token_id: string): void {
      const { changes } = db
        .query("DELETE FROM access_tokens WHERE account = ? AND org = ? AND id = ?")
        .run(account, org, token_id);
      memo.clear();
      if (changes === 0) throw refusal("not_found");
    },
    /** A role, a membership or a name has changed: ask again. */
    refresh: (): void => memo.clear(),
    flush(): string[] {
      for (const [token, at] of used) db.query("UPDATE access_tokens SET last_used_at = ? WHERE id = ?").run(at, token);
      return [];
    },
    flushed: (): void => used.clear(),
  };
}

const PERSON = `
  SELECT t.id, t.account, a.email, a.name, t.org, m.role, a.demo, t.expires_at FROM access_tokens t
    JOIN memberships m ON m.account = t.account AND m.org = t.org
    JOIN accounts a ON a.id = t.account
   WHERE t.hash = ?`;
