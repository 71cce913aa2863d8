import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { type Keys, vault } from "../keys.ts";
import { type Database, openDatabase } from "../store/sqlite/database.ts";
import { migrate } from "../store/sqlite/migrate.ts";
import { syncWal } from "../store/sqlite/wal.ts";
import { type AccessTokens, createAccessTokens } from "./access-tokens.ts";
import { type Accounts, createAccounts } from "./accounts.ts";
import { type Agents, createAgents } from "./agents.ts";
import { type Challenges, createChallenges } from "./challenges.ts";
import { createDeviceCodes, type DeviceCodes } from "./device-codes.ts";
import { createEnrolmentKeys, type EnrolmentKeys } from "./enrolment-keys.ts";
import { createHeads, type Heads } from "./heads.ts";
import { createIdempotency, type Idempotency } from "./idempotency.ts";
import { createInvitations, type Invitations } from "./invitations.ts";
import { createMembers, type Members } from "./members.ts";
import { createOrganisations, type Organisations } from "./organisations.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { createPasswords, type Passwords } from "./passwords.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createSignIns, type SignIns } from "./sign-in.ts";
import { createTrustedDevices, type TrustedDevices } from "./trusted-devices.ts";
import { createTwoFactor, type TwoFactor } from "./two-factor.ts";
import { createWorld, type DirectoryWorld } from "./world.ts";

/**
 * What spans organisations and who is who. Every call is synchronous SQLite and durable when it returns, but for what
 * hashes a password. Several processes may have it open: what one changes, another sees with its next call.
 */
export interface Directory {
  organisations: Organisations;
  accounts: Accounts;
  members: Members;
  invitations: Invitations;
  sessions: Sessions;
  accessTokens: AccessTokens;
  agents: Agents;
  enrolmentKeys: EnrolmentKeys;
  deviceCodes: DeviceCodes;
  trustedDevices: TrustedDevices;
  challenges: Challenges;
  twoFactor: TwoFactor;
  idempotency: Idempotency;
  heads: Heads;
  outbox: Outbox;
  passwords: Passwords;
  signIns: SignIns;
  /** One transaction over several of the calls above; throwing undoes them all. */
  atomic<T>(work: () => T): T;
  /**
   * Writes what was only noted – heads at once, last seen every minute – and once an hour forgets what has expired. Call it
   * about once a second. Returns organisations whose head was overtaken. Throws when another process keeps the lock for more
   * than five seconds; nothing is lost by that.
   */
  flush(): { heads_lost: string[] };
  /** Flushes and closes. */
  close(): void;
}

export interface DirectoryPorts {
  keys: Pick<Keys, "vault">;
  now?: () => number;
  random?: (bytes: number) => Uint8Array;
  passwords?: Passwords;
  /** How long to wait for another process; default 5,000. */
  busy_timeout_ms?: number;
}

/** Opens `path` (`:memory:` in tests), creating it and bringing its schema up to date. */
export function openDirectory(path: string, ports: DirectoryPorts): Directory {
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = openDatabase(path);
  db.exec(
    `PRAGMA busy_timeout = ${ports.busy_timeout_ms ?? 5000}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;`,
  );
  syncWal(db);
  migrate(db, "src/directory/migrations");
  const random = ports.random ?? (bytes => crypto.getRandomValues(new Uint8Array(bytes)));
  return compose(createWorld(db, ports.now ?? Date.now, random), ports);
}

function compose(world: DirectoryWorld, ports: DirectoryPorts): Directory {
  const safe = vault(ports.keys.vault, world.random);
  const sessions = createSessions(world);
  const accessTokens = createAccessTokens(world);
  const agents = createAgents(world);
  const changed = () => {
    sessions.refresh();
    accessTokens.refresh();
  };
  const nouns = {
    organisations: createOrganisations(world),
    accounts: createAccounts(world, changed),
    members: createMembers(world, changed),
    invitations: createInvitations(world),
    sessions,
    accessTokens,
    agents,
    enrolmentKeys: createEnrolmentKeys(world),
    deviceCodes: createDeviceCodes(world, agents),
    trustedDevices: createTrustedDevices(world),
    challenges: createChallenges(world),
    twoFactor: createTwoFactor(world, safe, changed),
    idempotency: createIdempotency(world, safe),
    heads: createHeads(world),
    outbox: createOutbox(world),
    passwords: ports.passwords ?? createPasswords(),
  };
  let swept_at = world.now();
  let seen_at = world.now();
  const flush = (everything = false) => {
    if (world.now() >= swept_at + SWEEP_MS) {
      swept_at = world.now();
      sweep(world);
    }
    const heads_lost = writeNoted(world.db, [nouns.heads]);
    if (everything || world.now() >= seen_at + SEEN_MS) {
      seen_at = world.now();
      writeNoted(world.db, [sessions, accessTokens]);
    }
    return { heads_lost };
  };
  return {
    ...nouns,
    signIns: createSignIns({ ...nouns, atomic: world.atomic }),
    atomic: world.atomic,
    flush: () => flush(),
    close() {
      flush(true);
      world.db.close();
    },
  };
}

interface Noted {
  /** Returns what could not be taken over. */
  flush(): string[];
  flushed(): void;
}

/**
 * Without an fsync of its own: the next durable commit carries it. Losing it in a power cut is harmless, a head row and a
 * last-seen time may lag. What could not be written (another process held the lock too long) stays noted.
 */
function writeNoted(db: Database, nouns: Noted[]): string[] {
  db.exec("PRAGMA synchronous = NORMAL");
  try {
    const lost = db.transact(() => nouns.flatMap(noun => noun.flush()));
    for (const noun of nouns) noun.flushed();
    return lost;
  } finally {
    db.exec("PRAGMA synchronous = FULL");
  }
}

/** Who was seen when is written once a minute: with ten thousand people at work it is ten thousand rows. */
const SEEN_MS = 60_000;
const EXPIRING = ["sessions", "access_tokens", "invitations", "trusted_devices", "challenges", "enrolment_keys"];
const SWEEP_MS = 3_600_000;
/** Kept a while longer, so that a list can still show what has run out. */
const KEPT_MS = 7 * 86_400_000;

function sweep({ db, now, atomic }: DirectoryWorld): void {
  atomic(() => {
    for (const table of EXPIRING) db.query(`DELETE FROM ${table} WHERE expires_at < ?`).run(now() - KEPT_MS);
  });
}
