import { mostUsedPasswords } from "./most-used-passwords.ts";
import { passwordFault } from "../domain/identity/password.ts";
import { refusal } from "../errors.ts";
import type { Account } from "./accounts.ts";
import type { Directory } from "./directory.ts";
import type { Place } from "./members.ts";
import type { Session } from "./sessions.ts";

/** Where a sign-in comes from, for the list of sessions. */
export interface Origin {
  ip: string;
  user_agent: string;
}

export interface SignedInNow {
  kind: "signed_in";
  session: Session;
  account: Account;
  organisation: Place;
}

export type SignIn = SignedInNow | { kind: "two_factor"; challenge: string; expires_in: number };

type Parts = Pick<
  Directory,
  "atomic" | "accounts" | "members" | "sessions" | "passwords" | "challenges" | "twoFactor" | "trustedDevices"
>;
export type SignIns = ReturnType<typeof createSignIns>;

/** From a password, or from what an identity provider vouches for, to a session; over the second factor where it is on. */
export function createSignIns(parts: Parts) {
  const { atomic, accounts, members, sessions, passwords, challenges, twoFactor, trustedDevices } = parts;
  const open = (account: Account, place: Place, origin: Origin): SignedInNow => ({
    kind: "signed_in",
    session: sessions.issue({ account: account.id, org: place.id, ...origin }),
    account,
    organisation: place,
  });
  const placeOf = (account: Account, wanted: string | undefined): Place => {
    const places = members.places(account.id);
    const place = wanted === undefined ? places[0] : places.find(one => one.id === wanted || one.name === wanted);
    if (!place) throw refusal("forbidden", "This account is not a member of that organisation.");
    return place;
  };
  /** Looks again after hashing: the password may have been changed meanwhile. */
  const provePassword = async (email: string, password: string): Promise<Account> => {
    const found = accounts.byEmail(email);
    const hash = found && accounts.passwordHash(found.id);
    const right = await passwords.verify(password, hash);
    const account = found && accounts.find(found.id);
    if (!right || !account || accounts.passwordHash(account.id) !== hash) throw refusal("invalid_credentials");
    return account;
  };
  return {
    /** Throws `invalid_credentials`, `busy`. */
    provePassword,
    /** Throws `invalid_credentials` (in the same time whether the account exists or not), `forbidden`, `busy`. */
    async withPassword(entry: {
      email: string;
      password: string;
      organisation?: string;
      trusted_device?: string;
      origin: Origin;
    }): Promise<SignIn> {
      const account = await provePassword(entry.email, entry.password);
      const place = placeOf(account, entry.organisation);
      const trusted = entry.trusted_device !== undefined && trustedDevices.accepts(account.id, entry.trusted_device);
      if (account.two_factor && !trusted) return { kind: "two_factor", ...challenges.create(account.id, place.id) };
      return open(account, place, entry.origin);
    },
    /** Throws `invalid_code`; the challenge dies with its fifth wrong code. */
    withCode(entry: {
      challenge: string;
      code: string;
      remember_device?: boolean;
      origin: Origin;
    }): SignedInNow & { trusted_device?: string } {
      const waiting = challenges.attempt(entry.challenge);
      if (!waiting) throw refusal("invalid_code", "This sign-in has ended. Start again with the password.");
      if (!twoFactor.check(waiting.account, entry.code)) throw refusal("invalid_code");
      challenges.settle(entry.challenge);
      const account = accounts.get(waiting.account);
      const signed = open(account, placeOf(account, waiting.org), entry.origin);
      if (!entry.remember_device) return signed;
      return { ...signed, trusted_device: trustedDevices.create(account.id, entry.origin.user_agent, entry.origin.ip) };
    },
    /** Into an organisation of one's own, in one step: the session before, if there was one, ends. Throws `forbidden`. */
    move(entry: { account: string; session: string | undefined; organisation: string; origin: Origin }): SignedInNow {
      const account = accounts.get(entry.account);
      const place = placeOf(account, entry.organisation);
      return atomic(() => {
        if (entry.session !== undefined) sessions.revoke(account.id, entry.session);
        return open(account, place, entry.origin);
      });
    },
    /** Ends every other session and trusted device. Throws `demo_account`, `invalid`, `busy`. */
    async changePassword(entry: { account: string; current: string; next: string; session: string }): Promise<void> {
      const account = accounts.get(entry.account);
      if (account.demo) throw refusal("demo_account");
      const hash = accounts.passwordHash(account.id);
      if (!(await passwords.verify(entry.current, hash)) || accounts.passwordHash(account.id) !== hash)
        throw refusal("invalid", { details: [{ path: "/current", message: "This is not the current password." }] });
      accounts.setPassword(account.id, await hashNew(passwords, entry.next, account.email, "/new"), entry.session);
    },
  };
}

/** Hashes a password that may be one. Throws `invalid`, `busy`. */
export async function hashNew(
  passwords: Directory["passwords"],
  password: string,
  email: string,
  path: string,
): Promise<string> {
  const fault = passwordFault(password, email, mostUsedPasswords());
  if (fault) throw refusal("invalid", { details: [{ path, message: fault }] });
  return passwords.hash(password);
}
