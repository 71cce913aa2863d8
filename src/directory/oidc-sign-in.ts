import { LRUCache } from "lru-cache";
import type { Role } from "../domain/identity/roles.ts";
import { refusal } from "../errors.ts";
import type { Account } from "./accounts.ts";
import type { Directory } from "./directory.ts";
import type { Oidc, OidcPerson } from "./oidc.ts";
import type { SignedIn } from "./sessions.ts";
import { sha256Hex } from "./world.ts";

/** Somebody who came in through the identity provider; `joined` when an invitation was waiting for that address. */
export interface OidcCaller {
  person: SignedIn;
  joined?: Joined;
}

export interface Joined {
  invitation: string;
  org: string;
  role: Role;
}

/** A challenge shown again while it is good for so long. */
const CHALLENGE_KEPT_MS = 240_000;

export type OidcSignIns = ReturnType<typeof createOidcSignIns>;

/**
 * From a token of the identity provider to a person here: by `sub`; the first time by an address the provider has verified.
 * An open invitation for a verified address is accepted with it, then or later. Nobody else gets an account.
 */
export function createOidcSignIns(directory: Directory, oidc: Oidc, now: () => number) {
  const { members, challenges } = directory;
  const shown = new LRUCache<string, { challenge: string; until: number }>({ max: 10_000 });
  const secondFactor = (token: string, account: string, org: string) => {
    const key = sha256Hex(token);
    const before = shown.get(key);
    const fresh =
      before && now() < before.until && challenges.find(before.challenge) ? undefined : challenges.create(account, org);
    if (fresh) shown.set(key, { challenge: fresh.challenge, until: now() + CHALLENGE_KEPT_MS });
    const { challenge, until } = shown.get(key)!;
    const two_factor = { challenge, expires_in: Math.ceil((until - now()) / 1000) + 60 };
    return refusal("two_factor_required", { members: { two_factor } });
  };
  return {
    claims: oidc.claims,
    /** Undefined for a token that is not valid. Throws `two_factor_required`, `forbidden`, `unavailable`. */
    async person(token: string): Promise<OidcCaller | undefined> {
      const vouched = await oidc.verify(token);
      if (!vouched) return undefined;
      const { account, joined } = accountOf(directory, vouched);
      const [place] = members.places(account.id);
      if (!place) throw refusal("forbidden", "This account is not a member of any organisation.");
      if (account.two_factor) throw secondFactor(token, account.id, place.id);
      const { id, email, name, demo } = account;
      const person = { kind: "person" as const, account: id, email, name, demo, org: place.id, role: place.role };
      return joined ? { person, joined } : { person };
    },
  };
}

function accountOf(directory: Directory, vouched: OidcPerson): { account: Account; joined?: Joined } {
  const { accounts, atomic } = directory;
  const known = accounts.byOidc(vouched);
  const email = vouched.email_verified ? vouched.email : undefined;
  if (known) return entered(known, email && invited(directory, email, () => known));
  const stranger = refusal("forbidden", "Nobody here belongs to this sign-in. Ask an admin for an invitation.");
  if (!email) throw stranger;
  return atomic(() => {
    const same = accounts.byEmail(email);
    // Never the demo account, and never one that belongs to another identity of the provider.
    if (same && (same.demo || !accounts.linkOidc(same.id, vouched))) throw stranger;
    const { name } = vouched;
    const make = () => same ?? accounts.create({ email, oidc: vouched, ...(name ? { name } : {}) });
    const joined = invited(directory, email, make);
    const account = same ?? accounts.byOidc(vouched);
    if (!account) throw stranger;
    return entered(account, joined);
  });
}

const entered = (account: Account, joined: Joined | undefined | "") => (joined ? { account, joined } : { account });

/** Accepts the oldest open invitation for a proved address, for the account `who` names or makes. */
function invited({ invitations, members, atomic }: Directory, email: string, who: () => Account): Joined | undefined {
  if (!invitations.openFor(email)) return undefined;
  return atomic(() => {
    const invitation = invitations.openFor(email);
    if (!invitation || !invitations.drop(invitation.id)) return undefined;
    const { id, org, role } = invitation;
    const account = who().id;
    if (members.role(org, account) !== undefined) return undefined;
    members.add(org, account, role);
    return { invitation: id, org, role };
  });
}
