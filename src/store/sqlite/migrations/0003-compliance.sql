-- Compliance: enabled frameworks, scans (their results stay in the log at `seq`), and the newest of each set of tools.
CREATE TABLE framework (framework TEXT PRIMARY KEY, enabled_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE scan (
  id TEXT PRIMARY KEY, seq INTEGER NOT NULL UNIQUE, project TEXT NOT NULL, status TEXT NOT NULL, summary TEXT NOT NULL,
  truncated INTEGER NOT NULL, tools TEXT NOT NULL, "commit" TEXT, branch TEXT, received_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX scan_project ON scan (project, seq);
CREATE TABLE newest_scan (
  project TEXT, toolset TEXT, id TEXT NOT NULL, fail INTEGER NOT NULL, outcomes TEXT NOT NULL, failures TEXT NOT NULL,
  PRIMARY KEY (project, toolset)
) STRICT, WITHOUT ROWID;

-- Posture: what installations declared over time.
CREATE TABLE declares (agent TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE declared_server (
  agent TEXT, name TEXT, first_seen_ms INTEGER NOT NULL, last_seen_ms INTEGER NOT NULL, PRIMARY KEY (agent, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE declared_tool (
  agent TEXT, server TEXT, tool TEXT, definition TEXT NOT NULL, fingerprint TEXT NOT NULL, changes INTEGER NOT NULL,
  changed_first_ms INTEGER NOT NULL, changed_last_ms INTEGER NOT NULL, PRIMARY KEY (agent, server, tool)
) STRICT, WITHOUT ROWID;
CREATE INDEX declared_tool_changed ON declared_tool (agent) WHERE changes > 0;
