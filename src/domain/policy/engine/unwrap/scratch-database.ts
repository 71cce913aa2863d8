/** Statements that reach only what was made to be tried out: a database in memory, in a temporary file, or named for tests. */
import type { Flag, Invocation, Subject, Word } from "../../facts.ts";

const forTests = /^(?:tests?|testing|test[_-][\w-]+|[\w-]+[_-]tests?)$/i;
const dropsTests =
  /^\s*drop\s+(?:database|schema)\s+(?:if\s+exists\s+)?["`]?(?:tests?|test_\w+|\w+_tests?)["`]?(?:\s+(?:cascade|with\s*\(\s*force\s*\)))?\s*$/i;
/** Of one database's own tables: nothing is named beyond it. */
const aboutTables =
  /^\s*(?:drop\s+(?:table|view|sequence|type)|alter\s+table|truncate|delete\s+from|update)\s[^.\\\uFFFC]*$/i;
/** Words with which a client turns to another database. */
const leaves = /\\c|\battach\b|\.(?:open|restore|read)\b|\buse\s|\bdblink|\bcopy\b/i;

const inTemporaryFile = /^(?:\/private)?\/tmp\/(?!.*\.\.)[\w./-]+$/;

const files = new Set(["sqlite3", "sqlite", "litecli", "duckdb"]);
const servers = new Set(["psql", "pgcli", "mysql", "mariadb", "mycli"]);
const databaseFlag = /^(-d|-D|--dbname|--database)$/;

/** The last part of `postgres://host/name?options`, or the name itself. */
const nameIn = ({ text }: Word): string =>
  text.includes("://") ? text.replace(/\?.*$/s, "").replace(/^.*\//s, "") : text;

function isScratch({ program, args, flags }: Invocation): boolean {
  const [first] = args;
  if (files.has(program))
    return first?.known === true && (first.text === ":memory:" || inTemporaryFile.test(first.text)) && !starts(flags);
  if (!servers.has(program)) return false;
  const named = flags.flatMap(({ name, value }) => (value && databaseFlag.test(name) ? [value] : []));
  if (first) named.push(first);
  return named.length > 0 && named.every(word => word.known && forTests.test(nameIn(word)));
}

/** A file of statements that runs first. */
const starts = (flags: readonly Flag[]): boolean => flags.some(({ name }) => /^-?-init/.test(name));

/** The statements of a client that are left when those are taken out which can lose nothing that was to be kept. */
export function beyondScratch(client: Subject | undefined, text: string): string {
  if (client?.kind !== "run" || !(files.has(client.program) || servers.has(client.program))) return text;
  const said = [text, ...client.args.map(word => word.text), ...client.flags.map(flag => flag.value?.text ?? "")];
  if (said.some(one => leaves.test(one))) return text;
  const scratch = isScratch(client);
  return text
    .split(";")
    .filter(one => !dropsTests.test(one) && !(scratch && aboutTables.test(one)))
    .join(";");
}
