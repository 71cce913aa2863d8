-- Counters by what they count (0 decision, 1 kind, 2 agent, 3 facet), an hour (span 0) and a day (span 1) at a time: statistics
-- ask for each of them alone, and a table of their products grows with agents × kinds × decisions.
CREATE TABLE tally (
  span INTEGER, of INTEGER, start INTEGER, id INTEGER, n INTEGER NOT NULL, PRIMARY KEY (span, of, start, id)
) STRICT, WITHOUT ROWID;
INSERT INTO tally SELECT 0, 0, hour, decision, sum(n) FROM count_hour GROUP BY hour, decision;
INSERT INTO tally SELECT 0, 1, hour, kind, sum(n) FROM count_hour GROUP BY hour, kind;
INSERT INTO tally SELECT 0, 2, hour, agent, sum(n) FROM count_hour WHERE agent <> 0 GROUP BY hour, agent;
INSERT INTO tally SELECT 0, 3, hour, facet, n FROM count_facet;
INSERT INTO tally SELECT 1, of, start / 24, id, sum(n) FROM tally GROUP BY of, start / 24, id;
DROP TABLE count_hour;
DROP TABLE count_facet;
