-- The log. A bundle is what one group commit sealed (later: one merged block of 1,024 entries).
CREATE TABLE bundle (
  first  INTEGER PRIMARY KEY, -- seq of its first entry; a bundle never crosses a border of 1,024
  n      INTEGER NOT NULL,
  ts0    INTEGER NOT NULL,    -- received, Unix ms
  ts1    INTEGER NOT NULL,
  live   INTEGER NOT NULL,    -- telemetry bodies not erased yet
  marks  BLOB NOT NULL,       -- marks.ts
  cols   BLOB NOT NULL,       -- columns.ts
  hashes BLOB NOT NULL,       -- n × 32: the leaf hashes, level 0 of the tree
  body   BLOB NOT NULL        -- zstd: the bodies, or 32 bytes of digest where one was erased
) STRICT;
CREATE INDEX bundle_ts ON bundle (ts0);

-- Per aligned 1,024 seqs: a 16-byte seed, or what erasing left of its salts (salts.ts).
CREATE TABLE salt (block INTEGER PRIMARY KEY, salts BLOB NOT NULL) STRICT;

-- Roots of the complete subtrees of 256^level leaves.
CREATE TABLE node (level INTEGER, idx INTEGER, hash BLOB NOT NULL, PRIMARY KEY (level, idx)) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoint (size INTEGER PRIMARY KEY, note TEXT NOT NULL) STRICT;

-- Strings that repeat (kinds, agents, facets), by number in the columns.
CREATE TABLE name (
  kind TEXT, id INTEGER, name TEXT NOT NULL, PRIMARY KEY (kind, id), UNIQUE (kind, name)
) STRICT, WITHOUT ROWID;

-- De-duplication. UUIDs that came in ascending order: one row a commit, 16 bytes each; an agent's runs never overlap.
CREATE TABLE seen_run (
  agent INTEGER, first BLOB, day INTEGER NOT NULL, ids BLOB NOT NULL, PRIMARY KEY (agent, first)
) STRICT;
-- All other ids: a UUID as 16 bytes, anything else as its text. `day` since 1970, for forgetting.
CREATE TABLE seen (agent INTEGER, id ANY, day INTEGER NOT NULL, PRIMARY KEY (agent, id)) STRICT, WITHOUT ROWID;
CREATE TABLE seen_day (day INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT;

-- Projections of the whole log, rebuilt from its columns.
CREATE TABLE count_hour (
  hour INTEGER, kind INTEGER, agent INTEGER, decision INTEGER, n INTEGER NOT NULL,
  PRIMARY KEY (hour, kind, agent, decision)
) STRICT, WITHOUT ROWID;
CREATE TABLE count_facet (
  hour INTEGER, facet INTEGER, n INTEGER NOT NULL, PRIMARY KEY (hour, facet)
) STRICT, WITHOUT ROWID;
CREATE TABLE observed (
  facet INTEGER, agent INTEGER, calls INTEGER NOT NULL, first_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL,
  PRIMARY KEY (facet, agent)
) STRICT, WITHOUT ROWID;
CREATE TABLE agent_last (agent INTEGER PRIMARY KEY, ts INTEGER NOT NULL) STRICT;
