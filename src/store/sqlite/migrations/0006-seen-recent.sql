-- Ids of small commits, a row each, until enough of them are there to be a run of each agent: seen-recent.ts.
CREATE TABLE seen_recent (day INTEGER NOT NULL, ids BLOB NOT NULL) STRICT;
