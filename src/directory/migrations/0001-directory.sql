-- What spans organisations. Times are Unix milliseconds; whatever opens something is kept as its SHA-256 only.
CREATE TABLE organisations(
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts(
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,          -- in the one spelling of domain/identity/email.ts
  name TEXT NOT NULL,
  password TEXT,                       -- PHC string; NULL: signs in through the identity provider only
  demo INTEGER NOT NULL DEFAULT 0,
  oidc_issuer TEXT,
  oidc_sub TEXT,
  totp_sealed BLOB,                    -- sealed by the vault key
  totp_enabled_at INTEGER,             -- NULL: set up, not yet proved
  totp_step INTEGER NOT NULL DEFAULT 0, -- newest time step accepted
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX accounts_by_oidc ON accounts(oidc_issuer, oidc_sub) WHERE oidc_sub IS NOT NULL;

CREATE TABLE memberships(
  account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
  org TEXT NOT NULL REFERENCES organisations ON DELETE CASCADE,
  role TEXT NOT NULL CHECK(role IN ('admin', 'member', 'auditor')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY(account, org)
) STRICT, WITHOUT ROWID;
CREATE INDEX memberships_by_org ON memberships(org, created_at, account);

CREATE TABLE invitations(
  id TEXT PRIMARY KEY,
  org TEXT NOT NULL REFERENCES organisations ON DELETE CASCADE,
  email TEXT NOT NULL,
  role TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  invited_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE(org, email)
) STRICT, WITHOUT ROWID;
CREATE INDEX invitations_by_email ON invitations(email, expires_at);

-- Removing a membership ends what was opened under it.
CREATE TABLE sessions(
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  org TEXT NOT NULL,
  ip TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  FOREIGN KEY(account, org) REFERENCES memberships ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_account ON sessions(account, org);
CREATE INDEX sessions_by_end ON sessions(expires_at);

CREATE TABLE access_tokens(
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  org TEXT NOT NULL,
  name TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_used_at INTEGER,
  FOREIGN KEY(account, org) REFERENCES memberships ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX access_tokens_by_account ON access_tokens(account, org);

CREATE TABLE trusted_devices(
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
  hash BLOB NOT NULL UNIQUE,
  name TEXT NOT NULL,
  ip TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX trusted_devices_by_account ON trusted_devices(account);

CREATE TABLE recovery_codes(
  account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
  hash BLOB NOT NULL,
  PRIMARY KEY(account, hash)
) STRICT, WITHOUT ROWID;

-- A sign-in that waits for its second factor.
CREATE TABLE challenges(
  hash BLOB PRIMARY KEY,
  account TEXT NOT NULL,
  org TEXT NOT NULL,
  tries_left INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  FOREIGN KEY(account, org) REFERENCES memberships ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX challenges_by_account ON challenges(account, org);

CREATE TABLE agents(
  id TEXT PRIMARY KEY,
  org TEXT NOT NULL REFERENCES organisations ON DELETE CASCADE,
  installation_id TEXT,
  hash BLOB UNIQUE,                    -- NULL: registered, its token not fetched yet
  created_at INTEGER NOT NULL,
  issued_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX agents_by_installation ON agents(org, installation_id) WHERE installation_id IS NOT NULL;
CREATE INDEX agents_by_org ON agents(org);

CREATE TABLE enrolment_keys(
  id TEXT PRIMARY KEY,
  org TEXT NOT NULL REFERENCES organisations ON DELETE CASCADE,
  name TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  uses_left INTEGER NOT NULL CHECK(uses_left >= 0),
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX enrolment_keys_by_org ON enrolment_keys(org);

CREATE TABLE device_codes(
  hash BLOB PRIMARY KEY,
  user_hash BLOB NOT NULL UNIQUE,
  device TEXT NOT NULL,                -- JSON: what the installation said of itself
  ip TEXT NOT NULL,
  status TEXT NOT NULL CHECK(status IN ('pending', 'approved', 'denied')),
  interval_s INTEGER NOT NULL,
  polled_at INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  agent TEXT REFERENCES agents ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX device_codes_by_end ON device_codes(expires_at);
CREATE INDEX device_codes_by_agent ON device_codes(agent);

-- The newest head of every log, kept apart from the log itself.
CREATE TABLE heads(
  org TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Replies to requests that carried an Idempotency-Key; sealed, because they may hold what is shown once.
CREATE TABLE idempotency(
  org TEXT NOT NULL REFERENCES organisations ON DELETE CASCADE,
  hash BLOB NOT NULL,
  fingerprint BLOB NOT NULL,
  reply BLOB,                          -- NULL: under way
  expires_at INTEGER NOT NULL,
  PRIMARY KEY(org, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_end ON idempotency(expires_at);

-- What a command or the first run changed: waits for the server to put it into the organisation's log.
CREATE TABLE outbox(
  id INTEGER PRIMARY KEY,
  org TEXT NOT NULL REFERENCES organisations ON DELETE CASCADE,
  kind TEXT NOT NULL,
  attributes TEXT NOT NULL             -- JSON
) STRICT;
CREATE INDEX outbox_by_org ON outbox(org);
