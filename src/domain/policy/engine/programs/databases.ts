/** Clients of databases: statements by option, operand, file and standard input; sessions. */
import { standardInput } from "./effects.ts";
import { UNKNOWN } from "../taint.ts";
import { runCode } from "../unwrap/text.ts";
import { type Field, type Origin, unknown } from "../value.ts";
import { flagOf, flagValues, type Handler, type Job, type Row } from "./row.ts";
import type { Table } from "./table.ts";

/** `-f file`: statements that this very command has written. */
export function fileCode(job: Job): void {
  if (job.m.files.size === 0) return;
  for (const f of flagValues(job, "-f", "--file", "-i", "--queries-file", "-init", "--init-file")) written(job, f);
}

function written({ m, inv, io }: Job, f: Field): void {
  const held = m.files.get(m.place(f.text));
  if (held?.known) runCode(m, "sql", held, `${inv.program} ${f.text}`, io);
}

/** Statements come by flag, as an operand, in a file, or on standard input. */
const operandCode =
  (from: number): Handler =>
  job => {
    fileCode(job);
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

/** The names of all keys there are, as `redis-cli --scan` prints them. */
const everyKey: Origin = { path: { text: "every key", known: true } };

/** `redis-cli --scan`, `redis-cli keys '*'`: no pattern, or one that picks nothing out. */
function listsEveryKey(job: Job, command: string): boolean {
  if (command === "keys") return job.operands[0]?.text === "*";
  const pattern = flagOf(job, "--pattern")?.value?.text ?? "*";
  return flagOf(job, "--scan") !== undefined && pattern === "*";
}

const reports =
  /^--(scan|pattern|bigkeys|memkeys|hotkeys|stat|latency|rdb|lru-test|intrinsic-latency|cluster|eval|version|help)/;

/** Commands are told in any case: `FlushAll`. Deleting every key that was listed is emptying the server. */
const redis: Handler = job => {
  const { inv, m, io } = job;
  inv.subcommands = inv.subcommands.map(word => word.toLowerCase());
  const command = inv.subcommands[0] ?? "";
  const [code] = job.operands;
  if (/^(eval(_ro)?|script|fcall)$/.test(command) && code) runCode(m, "lua", code, `redis-cli ${command}`, io);
  if (/^(un)?(del|link)$/.test(command) && job.operands.some(f => f.origin === everyKey))
    inv.flags.push({ name: "--all" });
  if (listsEveryKey(job, command)) return unknown(UNKNOWN, everyKey);
  if (command === "" && !inv.flags.some(f => reports.test(f.name))) standardInput(job, "sql");
  return undefined;
};

/** Code of the shell of MongoDB is read twice: for what it does to the database, and for what it starts. */
const mongo: Handler = job => {
  const given = [...flagValues(job, "--eval"), ...(job.io.input?.val.known ? [job.io.input.val] : [])];
  for (const code of given) runCode(job.m, "mongo-js", code, "--eval", job.io);
  if (job.io.input?.val.known) runCode(job.m, "sql", job.io.input.val, `${job.inv.program} <`, job.io);
  for (const f of job.operands) if (job.m.files.size > 0) written(job, f);
  return undefined;
};

/** With a script among its words it ends by itself. */
const mongoSession: Handler = job =>
  job.operands.some(f => /\.m?js$/.test(f.text)) ? mongo(job) : client(1, mongo)(job);

/** Clients of a database that is a file. */
const embedded: Row = {
  valued: "-cmd -init -separator -nullvalue -c -s -f",
  single: true,
  runs: { "-cmd": "sql", "-c": "sql", "-s": "sql" },
  files: { "-init": "read" },
  repl: "sql",
};

export const databases: Table = {
  "psql pgcli usql": {
    valued: "-c -d -f -h -p -U -v -o -L -F -P -R -T --command --dbname --file --host --port --username --set --output",
    runs: { "-c": "sql", "--command": "sql" },
    files: { "-f": "read", "-o": "write", "--file": "read", "--output": "write" },
    repl: "sql",
    run: client(2, operandCode(9)),
  },
  "mysql mariadb mycli mysqlsh": {
    valued:
      "-e -h -P -u -D -S --execute --host --port --user --database --socket --protocol --default-character-set --init-command --pager",
    runs: { "-e": "sql", "--execute": "sql", "--init-command": "sql", "--pager": "exec" },
    run: client(1, operandCode(9)),
    spawner: true,
    session: true,
  },
  "sqlite3 sqlite litecli": { ...embedded, run: client(1, operandCode(0)) },
  duckdb: { ...embedded, run: operandCode(0) },
  "sqlcmd isql bcp osql": {
    valued: "-Q -q -S -U -P -d -i -o",
    runs: { "-Q": "sql", "-q": "sql" },
    repl: "sql",
    run: operandCode(9),
  },
  sqlplus: { repl: "sql", run: client(1, operandCode(0)) },
  "clickhouse-client clickhouse clickhouse-local cockroach cypher-shell arangosh surreal influx snowsql snow bq trino presto beeline impala-shell hive spark-sql rqlite aql ksql monetdb mclient vsql nzsql db2 tsql":
    {
      valued: "-q -e -f -i -u -d -h --query --execute --command --host --user --database --queries-file -k -H -execute",
      runs: {
        "-q": "sql",
        "-e": "sql",
        "--query": "sql",
        "--execute": "sql",
        "--command": "sql",
        "-execute": "sql",
      },
      repl: "sql",
      run: operandCode(0),
    },
  cqlsh: {
    valued: "-e -f -u -p -k --execute --file --username --password --keyspace --cqlshrc --request-timeout",
    runs: { "-e": "sql", "--execute": "sql" },
    repl: "sql",
    run: client(2, operandCode(9)),
  },
  "mongosh mongo": {
    valued: "--eval --host --port -u -p --username --password --file",
    runs: { "--eval": "sql" },
    repl: "sql",
    run: mongoSession,
  },
  "redis-cli valkey-cli keydb-cli": {
    sub: 1,
    deep: "config script function acl client cluster debug module CONFIG SCRIPT FUNCTION ACL CLIENT CLUSTER DEBUG MODULE",
    valued: "-h -p -a -n -u -r -i -x -s --eval --user --pass --pattern --count --type --cluster --sni --cacert --rdb",
    session: true,
    run: redis,
  },
  "mysqladmin mariadb-admin": { valued: "-u -h -P -S --user --host --port --socket", sub: 1 },
  "dropdb dropuser createdb pg_restore pg_dump pg_dumpall mysqldump mongodump mongorestore": {
    valued: "-h -p -U -d -f -F -j -u -t -n --host --port --username --dbname --file",
    files: { "-f": "write", "--file": "write" },
  },
};
