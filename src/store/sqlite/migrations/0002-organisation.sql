-- Projections of what changes the organisation: dropped and rebuilt from the log at will.
CREATE TABLE agent(
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  hostname TEXT,
  platform TEXT,
  version TEXT,
  owner TEXT,
  hooks TEXT NOT NULL,          -- JSON
  policy_version INTEGER,
  mcp_servers TEXT NOT NULL,    -- JSON
  created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE policy(
  version INTEGER PRIMARY KEY,
  yaml TEXT NOT NULL,
  hash TEXT NOT NULL,
  changed_by TEXT,
  changed_ms INTEGER NOT NULL
) STRICT;

-- State of the moment: neither logged nor rebuilt.
CREATE TABLE liveness(agent TEXT PRIMARY KEY, last_seen_ms INTEGER NOT NULL, queue_depth INTEGER) STRICT, WITHOUT ROWID;
