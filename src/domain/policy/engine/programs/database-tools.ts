/** Tools that hand statements on to a database: `wp db query '…'`, `rails dbconsole <<< '…'`, `turso db shell x '…'`. */
import { runCode } from "../unwrap/text.ts";
import type { Job } from "./row.ts";

/** What such a tool calls its way into the database, among its first words. */
const door =
  /^(?:db|sql|sqlq|query|sql:query|sqlc|sql:cli|d1|shell|execute|exec|database|dbconsole|dbshell|pg:psql|redis:cli|connect|cypher|cql)$/;
const statement =
  /^\s*(?:drop\s+(?:table|database|schema|keyspace|user|index|view)\b|truncate\s+\w|delete\s+from\s|flush(?:all|db)\b)/i;

const DOORS = 4;

/** Statements among the words, or on standard input, of a tool that has said it speaks to a database. */
export function statementGiven({ m, argv, inv, io }: Job): void {
  let at = 1;
  while (at < argv.length && at <= DOORS && !door.test(argv[at]!.text)) at++;
  if (at >= argv.length || at > DOORS) return;
  for (let i = at + 1; i < argv.length; i++)
    if (statement.test(argv[i]!.text)) runCode(m, "sql", argv[i]!, `${inv.program} ${argv[at]!.text}`, io);
  if (io.input?.val.known && statement.test(io.input.val.text))
    runCode(m, "sql", io.input.val, `${inv.program} ${argv[at]!.text} <`, io);
}
