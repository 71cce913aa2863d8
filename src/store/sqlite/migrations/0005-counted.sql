-- Counters are brought up to date every so many entries: those before `size` are in them, later ones are counted from the log.
CREATE TABLE counted (size INTEGER NOT NULL) STRICT;
INSERT INTO counted SELECT coalesce(max(first + n), 0) FROM bundle;
-- Nothing asked for it: the fleet keeps its own times.
DROP TABLE agent_last;
