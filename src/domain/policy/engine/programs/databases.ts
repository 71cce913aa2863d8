import { runCode } from "../unwrap/text.ts";
import { flagValues, type Handler } from "./row.ts";
import type { Table } from "./table.ts";

/** Statements come by flag, as an operand, or on standard input. */
const operandCode =
  (from: number): Handler =>
  job => {
    for (const f of job.operands.slice(from))
      if (/\s|^[.\\!]|\(/.test(f.text)) runCode(job.m, "sql", f, job.inv.program, job.io);
    const input = job.io.input?.val;
    if (input?.known) runCode(job.m, "sql", input, `${job.inv.program} <`, job.io);
    return undefined;
  };

const answers =
  /^(-[cefilVLqQ]|--(command|file|list|version|help|execute|eval|query|init-command|debug-check|print-defaults)|-version|-help|-\?)$/;

/** A client given nothing but a place, at most so many words, and no statements: a session. */
const client =
  (places: number, then: Handler): Handler =>
  job => {
    const asked = job.io.input !== undefined || job.inv.flags.some(f => answers.test(f.name));
    if (!asked && job.operands.length <= places) job.inv.interactive = true;
    return then(job);
  };

const redis: Handler = job => {
  const [command, code] = job.operands;
  if (/^eval(_ro)?$/i.test(command?.text ?? "") && code) runCode(job.m, "lua", code, "redis-cli eval", job.io);
  runCode(
    job.m,
    "sql",
    { text: job.operands.map(f => f.text).join(" "), known: true, taint: 0, origin: undefined },
    "redis-cli",
    job.io,
  );
  return undefined;
};

export const databases: Table = {
  "psql pgcli usql": {
    valued: "-c -d -f -h -p -U -v -o -L -F -P -R -T --command --dbname --file --host --port --username --set --output",
    runs: { "-c": "sql", "--command": "sql" },
    files: { "-f": "read", "-o": "write", "--file": "read", "--output": "write" },
    repl: "sql",
    run: client(2, operandCode(9)),
  },
  "mysql mariadb mycli": {
    valued:
      "-e -h -P -u -D -S --execute --host --port --user --database --socket --protocol --default-character-set --init-command --pager",
    runs: { "-e": "sql", "--execute": "sql", "--init-command": "sql", "--pager": "exec" },
    run: client(1, operandCode(9)),
    spawner: true,
    session: true,
  },
  "sqlite3 sqlite duckdb litecli": {
    valued: "-cmd -init -separator -nullvalue -c",
    single: true,
    runs: { "-cmd": "sql", "-c": "sql" },
    repl: "sql",
    run: client(1, operandCode(0)),
  },
  "sqlcmd isql bcp osql": { valued: "-Q -q -S -U -P -d -i -o", runs: { "-Q": "sql", "-q": "sql" }, repl: "sql" },
  sqlplus: { repl: "sql", run: client(1, operandCode(0)) },
  "clickhouse-client clickhouse cqlsh cockroach cypher-shell arangosh surreal influx snowsql bq trino presto beeline impala-shell":
    {
      valued: "-q -e -f -u -d -h --query --execute --host --user --database -k",
      runs: { "-q": "sql", "-e": "sql", "--query": "sql", "--execute": "sql" },
      repl: "sql",
      run: operandCode(0),
    },
  "mongosh mongo": {
    valued: "--eval --host --port -u -p --username --password --file",
    runs: { "--eval": "sql" },
    repl: "sql",
    run: job => {
      for (const f of flagValues(job, "--eval")) runCode(job.m, "mongo-js", f, "--eval", job.io);
      return undefined;
    },
  },
  "redis-cli valkey-cli keydb-cli": { valued: "-h -p -a -n -u --eval --user --pass", repl: "sql", run: redis },
  mysqladmin: { valued: "-u -p -h -P --user --host", sub: 1 },
  "dropdb dropuser createdb pg_restore pg_dump pg_dumpall mysqldump mongodump mongorestore": {
    valued: "-h -p -U -d -f -F -j -u -t -n --host --port --username --dbname --file",
    files: { "-f": "write", "--file": "write" },
  },
};
