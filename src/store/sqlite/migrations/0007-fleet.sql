-- What depends on every agent is kept as it changes, so that no answer looks at all of them. A file of an older schema is
-- rebuilt from its log after this; only liveness is not in the log.

-- Whoever is enrolled is here from the first: it alone tells who was heard of when.
ALTER TABLE liveness RENAME TO heard;
CREATE TABLE liveness (
  agent TEXT PRIMARY KEY, last_seen_ms INTEGER, queue_depth INTEGER, created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO liveness SELECT id, last_seen_ms, queue_depth, created_ms FROM agent LEFT JOIN heard ON heard.agent = id;
DROP TABLE heard;
CREATE INDEX agent_policy ON agent (ifnull(policy_version, 0));
-- What is searched, without the declarations.
CREATE INDEX agent_text ON agent (id, name, hostname, owner);

-- How many agents, hooks or declarations share a value (traits.ts).
CREATE TABLE trait (of TEXT, value TEXT, n INTEGER NOT NULL, PRIMARY KEY (of, value)) STRICT, WITHOUT ROWID;

-- Calls of MCP tools, by agent and summed up. A call of a server that names no tool has the tool ''.
DROP TABLE observed;
CREATE TABLE observed (
  agent INTEGER, server TEXT, tool TEXT, calls INTEGER NOT NULL, first_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL,
  PRIMARY KEY (agent, server, tool)
) STRICT, WITHOUT ROWID;
CREATE TABLE observed_tool (
  server TEXT, tool TEXT, calls INTEGER NOT NULL, first_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL,
  PRIMARY KEY (server, tool)
) STRICT, WITHOUT ROWID;
CREATE TABLE observed_server (server TEXT PRIMARY KEY, agents INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- Differences between what is declared and the calls in `observed` (drift.ts). Severity 0 is low, 3 critical.
CREATE TABLE drift (
  agent TEXT, kind TEXT, server TEXT, tool TEXT, severity INTEGER NOT NULL, detail TEXT NOT NULL,
  first_seen_ms INTEGER NOT NULL, last_seen_ms INTEGER NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (agent, kind, server, tool)
) STRICT, WITHOUT ROWID;
-- What is unused stays told; all else is told for a while only.
CREATE INDEX drift_lasting ON drift (severity DESC, last_seen_ms DESC, kind, agent, server, tool) WHERE kind = 'unused_server';
CREATE INDEX drift_passing ON drift (severity DESC, last_seen_ms DESC, kind, agent, server, tool) WHERE kind <> 'unused_server';
