import { type Directory, openDirectory } from "../src/directory/directory.ts";
import type { Passwords } from "../src/directory/passwords.ts";
import type { Role } from "../src/domain/identity/roles.ts";

export const START = Date.UTC(2026, 0, 5, 12);
export const SECOND = 1000;
export const DAY = 86_400 * SECOND;

/** Instant and readable, so that only the tests of hashing itself wait for hashing. */
export const plainPasswords: Passwords = {
  hash: password => Promise.resolve(`plain:${password}`),
  verify: (password, hash) => Promise.resolve(hash === `plain:${password}`),
};

export const origin = { ip: "192.0.2.7", user_agent: "test" };
export const vaultKey = { vault: { bytes: new Uint8Array(32).fill(9), created_at: 0 } };

/** A directory in memory with a clock to turn and repeatable randomness. */
export function testDirectory(path = ":memory:", busy_timeout_ms = 5000) {
  const clock = { now: START };
  let seed = 1;
  const random = (bytes: number) =>
    Uint8Array.from({ length: bytes }, () => (seed = (seed * 48_271) % 0x7fffffff) >> 8);
  const directory = openDirectory(path, {
    keys: vaultKey,
    now: () => clock.now,
    random,
    passwords: plainPasswords,
    busy_timeout_ms,
  });
  return { directory, clock, wait: (ms: number) => void (clock.now += ms) };
}

/** An organisation with somebody in it. */
export function someone(directory: Directory, role: Role = "admin", name = "ada") {
  const organisation = directory.organisations.create(`${name}'s`, "team");
  return { org: organisation.id, ...join(directory, organisation.id, role, name) };
}

/** One more person for an organisation, signed in. */
export function join(directory: Directory, org: string, role: Role, name: string) {
  const { id, email } = directory.accounts.create({
    email: `${name}@example.org`,
    password_hash: `plain:${name}'s password`,
  });
  directory.members.add(org, id, role);
  return { account: id, email, sid: directory.sessions.issue({ account: id, org, ...origin }).id };
}
