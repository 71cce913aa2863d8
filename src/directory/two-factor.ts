import { generateURI, ScureBase32Plugin, verifySync } from "otplib";
import { makeRecoveryCode, RECOVERY_CODES, readRecoveryCode } from "../domain/identity/recovery-code.ts";
import { refusal } from "../errors.ts";
import type { Vault } from "../keys.ts";
import { type DirectoryWorld, sha256 } from "./world.ts";

const SECRET_BYTES = 20;
const STEP_S = 30;
const base32 = new ScureBase32Plugin();
const ISSUER = "Gatehouse";

interface Row {
  email: string;
  totp_sealed: Uint8Array | null;
  totp_enabled_at: number | null;
}

export type TwoFactor = ReturnType<typeof createTwoFactor>;

/**
 * RFC 6238 with the parameters every authenticator knows: SHA-1, 30 s, 6 digits, one step either way. A time step is
 * accepted once (§5.2). Secrets are sealed at rest; recovery codes are kept as hashes.
 */
export function createTwoFactor(world: DirectoryWorld, vault: Vault, changed: () => void) {
  const { db, now, random, atomic } = world;
  const row = (account: string): Row => {
    const found = db.query<Row>("SELECT email, totp_sealed, totp_enabled_at FROM accounts WHERE id = ?").get(account);
    if (!found) throw refusal("not_found");
    return found;
  };
  /** The step whose code this is; it is used up with it. */
  const takeStep = (account: string, secret: Uint8Array, token: string): boolean => {
    const step = matchingStep(secret, token, now());
    const used = "UPDATE accounts SET totp_step = ?1 WHERE id = ?2 AND totp_step < ?1";
    return step !== undefined && db.query(used).run(step, account).changes === 1;
  };
  const open = (account: string, sealed: Uint8Array): Uint8Array => {
    const secret = vault.open(sealed, `totp/${account}`);
    if (!secret) throw new Error("a TOTP secret cannot be opened with this vault key");
    return secret;
  };
  const takeRecovery = (account: string, typed: string): boolean => {
    const code = readRecoveryCode(typed);
    return (
      code !== undefined &&
      db.query("DELETE FROM recovery_codes WHERE account = ? AND hash = ?").run(account, sha256(code)).changes === 1
    );
  };
  const check = (account: string, typed: string): boolean => {
    const { totp_sealed, totp_enabled_at } = row(account);
    if (!totp_sealed || totp_enabled_at === null) return false;
    const digits = typed.replaceAll(/\s/g, "");
    return /^\d{6}$/.test(digits)
      ? takeStep(account, open(account, totp_sealed), digits)
      : takeRecovery(account, typed);
  };
  const newRecoveryCodes = (account: string): string[] => {
    db.query("DELETE FROM recovery_codes WHERE account = ?").run(account);
    return Array.from({ length: RECOVERY_CODES }, () => {
      const code = makeRecoveryCode(random);
      db.query("INSERT INTO recovery_codes(account, hash) VALUES(?, ?)").run(account, sha256(readRecoveryCode(code)!));
      return code;
    });
  };
  return {
    enabled: (account: string): boolean => row(account).totp_enabled_at !== null,
    /** A fresh secret that counts once a code has proved it. Throws `conflict` while two-factor is on. */
    setup(account: string): { secret: string; otpauth_uri: string } {
      const { email, totp_enabled_at } = row(account);
      if (totp_enabled_at !== null) throw refusal("conflict", "Two-factor is on already. Turn it off first.");
      const bytes = random(SECRET_BYTES);
      db.query("UPDATE accounts SET totp_sealed = ? WHERE id = ?").run(vault.seal(bytes, `totp/${account}`), account);
      const secret = base32.encode(bytes, { padding: false });
      return { secret, otpauth_uri: generateURI({ issuer: ISSUER, label: email, secret }) };
    },
    /** Turns it on; the recovery codes are shown once. Throws `conflict` without `setup`, `invalid` for a wrong code. */
    enable: (account: string, token: string): { recovery_codes: string[] } =>
      atomic(() => {
        const { totp_sealed, totp_enabled_at } = row(account);
        if (!totp_sealed || totp_enabled_at !== null) throw refusal("conflict", "Call setup first.");
        if (!takeStep(account, open(account, totp_sealed), token.replaceAll(/\s/g, ""))) throw wrongCode();
        db.query("UPDATE accounts SET totp_enabled_at = ? WHERE id = ?").run(now(), account);
        changed();
        return { recovery_codes: newRecoveryCodes(account) };
      }),
    /** Whether this is a code of the moment, or a recovery code not used before. It is used up by being right. */
    check,
    /** Throws `conflict` when it is off, `invalid` for a wrong code. */
    disable(account: string, token: string): void {
      atomic(() => {
        if (row(account).totp_enabled_at === null) throw refusal("conflict", "Two-factor is not on.");
        if (!check(account, token)) throw wrongCode();
        turnOff(world, account);
      });
      changed();
    },
    /** The operator's way out for somebody who lost everything. */
    reset(account: string): void {
      atomic(() => turnOff(world, account));
      changed();
    },
  };
}

const wrongCode = () =>
  refusal("invalid", { details: [{ path: "/code", message: "The code is wrong or has been used." }] });

function turnOff({ db }: DirectoryWorld, account: string): void {
  db.query("UPDATE accounts SET totp_sealed = NULL, totp_enabled_at = NULL WHERE id = ?").run(account);
  for (const table of ["recovery_codes", "trusted_devices", "challenges"])
    db.query(`DELETE FROM ${table} WHERE account = ?`).run(account);
}

function matchingStep(secret: Uint8Array, token: string, now_ms: number): number | undefined {
  if (!/^\d{6}$/.test(token)) return undefined;
  const found = verifySync({ secret, token, epoch: Math.floor(now_ms / 1000), epochTolerance: STEP_S, period: STEP_S });
  return found.valid && "timeStep" in found ? found.timeStep : undefined;
}
