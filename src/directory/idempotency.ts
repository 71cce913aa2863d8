import type { Vault } from "../keys.ts";
import { type DirectoryWorld, sha256 } from "./world.ts";

/** How long a reply is kept (24 h), and a request taken to be under way. */
const KEPT_MS = 86_400_000;
const UNDER_WAY_MS = 60_000;

/** `fresh`: go on, then `finish` or `abandon`. `differs`: the key came with another request before. */
export type Begun =
  | { state: "fresh" }
  | { state: "under_way" }
  | { state: "differs" }
  | { state: "done"; reply: string };

export type Idempotency = ReturnType<typeof createIdempotency>;

/** draft-ietf-httpapi-idempotency-key-header: a request that is sent again is answered again, not done again. */
export function createIdempotency({ db, now, atomic }: DirectoryWorld, vault: Vault) {
  const context = (org: string, key: string) => `idempotency/${org}/${key}`;
  const drop = (org: string, key: string) =>
    db.query("DELETE FROM idempotency WHERE org = ? AND hash = ?").run(org, sha256(key));
  return {
    /** `key` names the caller and route as well as what the client sent. */
    begin: (org: string, key: string, request: string): Begun =>
      atomic(() => {
        db.query("DELETE FROM idempotency WHERE expires_at <= ?").run(now());
        const before = db
          .query<{ fingerprint: Uint8Array; reply: Uint8Array | null }>(
            "SELECT fingerprint, reply FROM idempotency WHERE org = ? AND hash = ?",
          )
          .get(org, sha256(key));
        if (!before) {
          db.query("INSERT INTO idempotency(org, hash, fingerprint, expires_at) VALUES(?, ?, ?, ?)").run(
            ...[org, sha256(key), sha256(request), now() + UNDER_WAY_MS],
          );
          return { state: "fresh" };
        }
        if (Buffer.compare(before.fingerprint, sha256(request)) !== 0) return { state: "differs" };
        if (!before.reply) return { state: "under_way" };
        return { state: "done", reply: new TextDecoder().decode(vault.open(before.reply, context(org, key))!) };
      }),
    finish(org: string, key: string, reply: string): void {
      const sealed = vault.seal(new TextEncoder().encode(reply), context(org, key));
      db.query("UPDATE idempotency SET reply = ?, expires_at = ? WHERE org = ? AND hash = ?").run(
        ...[sealed, now() + KEPT_MS, org, sha256(key)],
      );
    },
    /** It failed: the client may try again with the same key. */
    abandon: (org: string, key: string): void => void drop(org, key),
  };
}
