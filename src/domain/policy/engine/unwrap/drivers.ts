/** Calls of a database driver, an ORM or a cache client in code: what they run is judged like a client's statements. */
import type { SqlAct } from "../../facts.ts";
import type { Call } from "./calls.ts";
import type { Machine } from "../run/machine.ts";
import { cloudCall } from "./cloud-sdk.ts";
import { sqlActs } from "./sql.ts";

/** Calls whose first text is a statement: `cursor.execute("…")`, `client.query("…")`, `->do("…")`. */
const runsStatements = new Set(
  "execute exec executescript executemany executeUpdate execute_sql exec_driver_sql query run raw do unsafe prepare text sql mysqli_query multi_query pg_query pg_exec exec_params rawQuery $executeRaw $executeRawUnsafe $queryRawUnsafe Exec ExecContext MustExec Query run_sql_query read_sql execute_query executeQuery call pcall".split(
    " ",
  ),
);

/** Calls that empty a whole store whatever they are given. */
const empties = new Set(
  "dropDatabase drop_database dropCollection drop_collection dropSchema dropAllSchemas dropAllTables dropTable dropTableIfExists drop_table drop_all flushall flushdb flushAll flushDb flush_all delete_table deleteTable delete_index deleteIndex drop_tables".split(
    " ",
  ),
);

/** Calls that empty one where they are given nothing, or an empty object: `users.drop()`, `users.deleteMany({})`. */
const emptiesUnasked = new Map<string, SqlAct>([
  ["drop", "drop"],
  ["deleteMany", "delete_all"],
  ["delete_many", "delete_all"],
]);

/** Libraries that speak to a database. */
const drivers =
  /\b(?:psycopg2?|sqlite3|pymysql|MySQLdb|sqlalchemy|asyncpg|mysql2?|duckdb|knex|sequelize|prisma|PDO|DBI|pyodbc|clickhouse|cassandra|better-sqlite3)\b/i;
/** A whole statement, in whatever call it stands. */
const whole = /^\s*(?:drop\s+(?:table|database|schema|index|view)|truncate(?:\s+table)?|delete\s+from)\s+\S/i;
const shows =
  /^(?:print\w*|puts|p|echo|log|say|write\w*|info|debug|error|warn|sub|replace|test|search|match|includes|assert\w*|append|push)$/;

const destroys = /^[\s("'`;]*(?:drop|truncate|delete|update|alter|grant|flush_?(?:all|db)|begin|set|use)\b/i;

const isBare = ({ strings, other }: Call): boolean => strings.length === 0 && !other;

/** The code last asked about: each of its calls asks, and it may be long. */
let last = { code: "", inMemory: false };

/** A database in memory ends with the code, where that opens no other. */
function inMemory(code: string): boolean {
  if (code !== last.code) last = { code, inMemory: opensMemoryOnly(code) };
  return last.inMemory;
}

function opensMemoryOnly(code: string): boolean {
  if (!code.includes(":memory:")) return false;
  const opened = code.match(/\b(?:connect|open|Database|PDO)\(/g) ?? [];
  const memory = code.match(/\b(?:connect|open|Database|PDO)\(\s?['"](?:sqlite:)?:memory:/g) ?? [];
  return memory.length > 0 && memory.length === opened.length;
}

/** What a call named `name` does to a database; nothing for all other calls. */
function storeActs(name: string, call: Call, code: string): readonly SqlAct[] {
  if (empties.has(name)) return ["drop"];
  const unasked = emptiesUnasked.get(name);
  if (unasked !== undefined) return isBare(call) ? [unasked] : [];
  if (name === "delete") return isBare(call) && /\.objects\.all\(\)\s*\.delete\(\)/.test(code) ? ["delete_all"] : [];
  const statement = call.strings[0];
  if (statement === undefined) return [];
  const runs = runsStatements.has(name) && destroys.test(statement);
  if (!runs && (shows.test(name) || !whole.test(statement) || !drivers.test(code))) return [];
  return inMemory(code) ? [] : sqlActs(statement);
}

/** Notes what a call does to a database or a cloud; true where it was a call of a driver. */
export function storeCall(m: Machine, of: number, name: string, call: Call, code: string): boolean {
  const acts = storeActs(name, call, code);
  for (const does of acts) m.facts.push({ kind: "sql", of, does });
  const inCloud = acts.length === 0 ? cloudCall(m, name, code) : undefined;
  if (inCloud) m.subject(inCloud);
  return acts.length > 0;
}
