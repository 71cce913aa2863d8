import { isToken, makeToken } from "../domain/identity/tokens.ts";
import { refusal } from "../errors.ts";
import { type DirectoryWorld, sha256 } from "./world.ts";

/** A browser that need not show the second factor again. */
export interface TrustedDevice {
  id: string;
  name: string;
  ip: string;
  created_at: number;
  expires_at: number;
  last_used_at: number;
}

export const TRUSTED_S = 30 * 86_400;
const DEVICES_MAX = 20;
const NAME_MAX = 300;

export type TrustedDevices = ReturnType<typeof createTrustedDevices>;

export function createTrustedDevices({ db, now, random, id, atomic }: DirectoryWorld) {
  const list = (account: string): TrustedDevice[] =>
    db
      .query<TrustedDevice>(
        `SELECT id, name, ip, created_at, expires_at, last_used_at FROM trusted_devices
         WHERE account = ? AND expires_at > ? ORDER BY id DESC`,
      )
      .all(account, now());
  return {
    /** Thirty days; beyond twenty devices the oldest is forgotten. */
    create(account: string, name: string, ip: string): string {
      const token = makeToken("trusted", random);
      atomic(() => {
        for (const old of list(account).slice(DEVICES_MAX - 1))
          db.query("DELETE FROM trusted_devices WHERE id = ?").run(old.id);
        db.query(
          "INSERT INTO trusted_devices(id, account, hash, name, ip, created_at, expires_at, last_used_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
        ).run(
          ...[id("dev"), account, sha256(token), name.slice(0, NAME_MAX), ip],
          ...[now(), now() + TRUSTED_S * 1000, now()],
        );
      });
      return token;
    },
    /** Whether this account trusts whoever holds the token. */
    accepts: (account: string, token: string): boolean =>
      isToken("trusted", token) &&
      db
        .query("UPDATE trusted_devices SET last_used_at = ?1 WHERE hash = ?2 AND account = ?3 AND expires_at > ?1")
        .run(now(), sha256(token), account).changes === 1,
    list,
    /** Throws `not_found`, also for another person's. */
    revoke(account: string, device: string): void {
      if (db.query("DELETE FROM trusted_devices WHERE account = ? AND id = ?").run(account, device).changes === 0)
        throw refusal("not_found");
    },
  };
}
