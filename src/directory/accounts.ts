import { emailKey } from "../domain/identity/email.ts";
import { refusal } from "../errors.ts";
import type { DirectoryWorld } from "./world.ts";

export interface Account {
  id: string;
  /** In its one spelling. */
  email: string;
  name: string;
  /** The dedicated demo account cannot change itself. */
  demo: boolean;
  two_factor: boolean;
  created_at: number;
}

export interface NewAccount {
  email: string;
  name?: string;
  /** PHC string of `hashPassword`; none for a person who signs in through the identity provider only. */
  password_hash?: string;
  demo?: boolean;
  oidc?: OidcIdentity;
}

/** Whom an identity provider vouches for (OpenID Connect Core §2: `iss` and `sub` together are unique). */
export interface OidcIdentity {
  issuer: string;
  sub: string;
}

interface Row {
  id: string;
  email: string;
  name: string;
  demo: number;
  totp_enabled_at: number | null;
  created_at: number;
}

const COLUMNS = "id, email, name, demo, totp_enabled_at, created_at";
const account = (row: Row | undefined): Account | undefined =>
  row && {
    id: row.id,
    email: row.email,
    name: row.name,
    demo: row.demo === 1,
    two_factor: row.totp_enabled_at !== null,
    created_at: row.created_at,
  };

export type Accounts = ReturnType<typeof createAccounts>;

/** `changed` is told whenever what a session or token shows of a person may have changed. */
export function createAccounts(world: DirectoryWorld, changed: () => void) {
  const { db, now, id, atomic } = world;
  const find = (account_id: string) =>
    account(db.query<Row>(`SELECT ${COLUMNS} FROM accounts WHERE id = ?`).get(account_id));
  const byEmail = (email: string) =>
    account(db.query<Row>(`SELECT ${COLUMNS} FROM accounts WHERE email = ?`).get(emailKey(email) ?? ""));
  return {
    /** Throws `invalid` for what is no address, `conflict` when it is taken. */
    create(entry: NewAccount): Account {
      const email = emailOf(entry.email);
      if (byEmail(email)) throw refusal("conflict", "There is an account with this email address already.");
      const made = { id: id("usr"), email, name: entry.name ?? nameFrom(email), created_at: now() };
      db.query(
        "INSERT INTO accounts(id, email, name, password, demo, oidc_issuer, oidc_sub, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
      ).run(
        ...[made.id, made.email, made.name, entry.password_hash ?? null, entry.demo ? 1 : 0],
        ...[entry.oidc?.issuer ?? null, entry.oidc?.sub ?? null, made.created_at],
      );
      return { ...made, demo: entry.demo ?? false, two_factor: false };
    },
    find,
    byEmail,
    /** Throws `not_found`. */
    get(account_id: string): Account {
      const found = find(account_id);
      if (!found) throw refusal("not_found");
      return found;
    },
    byOidc: ({ issuer, sub }: OidcIdentity): Account | undefined =>
      account(db.query<Row>(`SELECT ${COLUMNS} FROM accounts WHERE oidc_issuer = ? AND oidc_sub = ?`).get(issuer, sub)),
    /** False when the account belongs to another identity already. */
    linkOidc: (account_id: string, { issuer, sub }: OidcIdentity): boolean =>
      db
        .query("UPDATE accounts SET oidc_issuer = ?, oidc_sub = ? WHERE id = ? AND oidc_sub IS NULL")
        .run(issuer, sub, account_id).changes === 1,
    /** The PHC string; undefined when there is no account or it has no password. */
    passwordHash: (account_id: string): string | undefined =>
      db.query<{ password: string | null }>("SELECT password FROM accounts WHERE id = ?").get(account_id)?.password ??
      undefined,
    /** Ends every session but `keep`, every waiting second factor and every trusted device, at once. */
    setPassword(account_id: string, password_hash: string, keep = ""): void {
      atomic(() => {
        const { changes } = db.query("UPDATE accounts SET password = ? WHERE id = ?").run(password_hash, account_id);
        if (changes === 0) throw refusal("not_found");
        db.query("DELETE FROM sessions WHERE account = ? AND id <> ?").run(account_id, keep);
        db.query("DELETE FROM challenges WHERE account = ?").run(account_id);
        db.query("DELETE FROM trusted_devices WHERE account = ?").run(account_id);
      });
      changed();
    },
    rename(account_id: string, name: string): void {
      if (db.query("UPDATE accounts SET name = ? WHERE id = ?").run(name, account_id).changes === 0)
        throw refusal("not_found");
      changed();
    },
    any: (): boolean => db.query("SELECT 1 FROM accounts WHERE demo = 0 LIMIT 1").get() !== undefined,
  };
}

/** The one spelling; throws `invalid`. */
export function emailOf(text: string): string {
  const email = emailKey(text);
  if (!email) throw refusal("invalid", { details: [{ path: "/email", message: "This is not an email address." }] });
  return email;
}

const nameFrom = (email: string) => email.slice(0, email.indexOf("@"));
