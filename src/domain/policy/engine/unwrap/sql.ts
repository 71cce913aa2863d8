import type { SqlAct } from "../../facts.ts";
import type { Io, Machine } from "../run/machine.ts";
import { UNKNOWN } from "../taint.ts";
import { EMPTY, type Field, type Val } from "../value.ts";
import { beyondScratch } from "./scratch-database.ts";
import { runCode, runText } from "./text.ts";

const patterns: readonly (readonly [SqlAct, RegExp])[] = [
  [
    "drop",
    /\bdrop\s+(table|database|schema|view|user|role|collection|keyspace|tablespace|owned|materialized|function|extension|type|sequence|trigger)\b|\.drop(Database|Collection|User|AllUsersFromDatabase|Role)?\(|\bdrop(AllUsersFromDatabase|Database|User|Role)\s*:\s*1\b|\bdrop\s+(measurement|series|retention\s+policy|dictionary|stage|warehouse|server|login|partition)\b|_dropDatabase\(|\bdetach\s+delete\b|\breset\s+master\b|\bremove\s+(table|database|namespace)\b|\bflush_?(all|db)\b/i,
  ],
  ["truncate", /\btruncate\s+(table\s+|only\s+)?["'`[\w.\uFFFC]/i],
  ["update_all", /\.updateMany\(\s*\{\s*\}/i],
  ["delete_all", /\bmatch\s*\(\w*\)\s*delete\b|<delete>\s*<query>\*:\*/i],
  ["grant", /\bset\s+password\b|\.(createUser|updateUser|changeUserPassword|grantRolesToUser)\(/i],
  [
    "run_program",
    /\bxp_cmdshell\b|\bsys_exec\b|\binto\s+(outfile|dumpfile)\b|\bload_file\s*\(|\bload_extension\s*\(|\bsystem\s*\(|\blo_(import|export)\s*\(|\bpg_(read_(binary_)?file|ls_dir)\s*\(|\bsp_oacreate\b|\butl_file\b|\bdbms_scheduler\b|^[ \t]*(\\!|\.shell|\.system|!)/im,
  ],
];

/** How a statement begins, and what it says further on. */
const statements: readonly (readonly [SqlAct, begins: RegExp, goesOn: RegExp])[] = [
  [
    "drop",
    /\balter\s+table\b/i,
    /\bdrop\s+(?!constraint\b|default\b|not\b|foreign\b|primary\b|key\b|check\b|identity\b|expression\b|index\b)[\w"`[]/i,
  ],
  ["grant", /\bgrant\s/i, /^[\w\s,*]*[\w,*]\s+(on|to)\b/i],
  [
    "grant",
    /\balter\s+(user|role|login)\b/i,
    /\b(superuser|password|createrole|createdb|replication|bypassrls|identified)\b/i,
  ],
  ["run_program", /\bcopy\b/i, /\b(to|from)\s+program\b/i],
];

const deleteAll =
  /\bdelete\s+from\s+(only\s+)?["'`[\]\w.\uFFFC]+\s*(;|$|\)|where\s+(1\s*=\s*1|true|1)\b|limit\b|returning\b)|\bdelete\s+[\w.]+\s+where\s+(1\s*=\s*1|true)\b|\balter\s+table\s+[\w.]+\s+delete\s+where\s+1\b|\.(deleteMany|remove)\(\s*(?:\{\s*\}\s*)?\)/i;
const update = /\bupdate\s+["'`[\]\w.]+\s+set\s/i;

/** What stands behind the beginning of a statement; undefined where it does not begin so. */
const behind = (statement: string, begins: RegExp): string | undefined => {
  const found = begins.exec(statement);
  return found ? statement.slice(found.index + found[0].length) : undefined;
};

/** Comments as blanks; one that is not closed is none. */
const uncommented = (text: string): string =>
  text.replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, one => (one.startsWith("--") || one.endsWith("*/") ? " " : one));

/** Texts in quotes as empty ones; one that is not closed stands. */
const unquoted = (text: string): string =>
  text.replace(/'(?:[^'\\]|\\(?:[\s\S]|$))*('|$)/g, (one, end) => (end === "'" ? "''" : one));

/** What a text of SQL (or Mongo, Redis) statements destroys or reaches; comments are taken off first. */
export function sqlActs(text: string): SqlAct[] {
  const code = uncommented(text);
  // `EXEC('…')` and `EXECUTE IMMEDIATE '…'` run what the quotes hold.
  const bare = /\bexec(ute)?(\s+immediate)?[\s(]+n?'/i.test(code) ? code.replaceAll("'", " ") : unquoted(code);
  const out = new Set<SqlAct>();
  for (const [act, pattern] of patterns) if (pattern.test(bare)) out.add(act);
  for (const one of bare.split(";"))
    for (const [act, begins, goesOn] of statements) if (goesOn.test(behind(one, begins) ?? "")) out.add(act);
  if (deleteAll.test(bare.trim())) out.add("delete_all");
  for (const one of bare.split(/;|\b(?=update\s)/i))
    if (!/\bwhere\b/i.test(behind(one, update) ?? "where")) out.add("update_all");
  return [...out];
}

const escapes =
  /^[ \t]*(?:\\!|\.sh(?:e|el|ell)?(?![a-z])|\.sy(?:s|st|ste|stem)?(?![a-z])|!|system)(?![ \t]*=)([^\n]*)/gm;

/** `pager cmd`, `\P cmd`: results go through it. */
const pagers = /^[ \t]*(?:\\P|pager)[ \t]+([^\n;]+)/gm;

/** `.once '|cmd'`, `\\g |cmd`: results go into a pipe. */
const piped = /(?:\\(?:gx?|o|out|w|write)|\.(?:on\w*|ou\w*|import|excel))\s+['"]?\|\s*([^'"\n]+)/g;

/** `copy t to '/path'`, `.output /path`: files that the client writes. */
const writesFile = /\bwritefile\(\s*'([~/][^']+)'/gi;
const copiesTo = /\bto\s+'([~/][^']+)'/i;
const outputs = /^[ \t]*\.(?:output|once|excel|backup|save)[ \t]+['"]?([~/][^\s'"]+)/gm;

function written(m: Machine, of: number, code: Val | Field): void {
  const { text, known } = code;
  const paths = [...text.matchAll(outputs), ...text.matchAll(writesFile)].map(([, path]) => path);
  for (const one of text.split(";")) paths.push(copiesTo.exec(behind(one, /\b(?:copy|export)\b/i) ?? "")?.[1]);
  for (const path of paths) if (path) m.file(of, "write", { text: m.place(path), known });
}

/** `select edit('x','cmd')`, `\set y `cmd``: other ways of the clients to start a program. */
const edits = /\bedit\('[^']*',\s*'([^']*)'/gi;
const inBackticks = /^[ \t]*\\(?:set|echo|prompt)[ \t]([^\n]*)/gim;

/** `\i file`, `.read file`, `source file`: statements that this very command may have written. */
const included = /(?:^|\n)[ \t]*(?:\\ir?|\.read|source|\\\.)[ \t]+['"]?([^\s'";]+)/g;

/** `select 'drop table ' || name`: statements that are made of what a database holds, to be run by the next client. */
const generates = /'\s*(drop|truncate|delete\s+from)\b/i;
const generated: Val = { ...EMPTY, text: "drop table generated", taint: UNKNOWN };

/** Behind a link that this very command made may lie any database. */
function actsBeyondScratch(m: Machine, of: number, text: string): readonly SqlAct[] {
  const acts = sqlActs(text);
  if (acts.length === 0 || m.links.size > 0) return acts;
  const left = beyondScratch(m.subjects[of], text);
  return left === text ? acts : sqlActs(left);
}

/** Statements given to a database client; `\! cmd` and `.shell cmd` run in the client's shell. */
/** `copy t to '/path'`: the server writes a file. */
const copies = /\bcopy\b/i;
const toFile = /\bto\s+'(\/[^']*)'/i;

export function sql(m: Machine, code: Val | Field, io: Io): Val {
  const of = m.subjects.length - 1;
  const { text } = code;
  written(m, of, code);
  for (const does of actsBeyondScratch(m, of, text)) m.facts.push({ kind: "sql", of, does });
  if (copies.test(text))
    for (const one of text.split(";")) {
      const path = toFile.exec(behind(one, copies) ?? "")?.[1];
      if (path) m.file(of, "write", { text: m.places.of(path, undefined), known: true });
    }
  for (const [, command] of text.matchAll(escapes)) runText(m, { ...code, text: command!.trim() || "sh" }, "\\!", io);
  if (m.files.size > 0)
    for (const [, name] of text.matchAll(included)) {
      const held = m.files.get(m.place(name!));
      if (held?.known) runCode(m, "sql", held, name!, io);
    }
  for (const [, command] of text.matchAll(pagers)) runText(m, { ...code, text: command! }, "pager", io);
  for (const [, command] of text.matchAll(edits)) runText(m, { ...code, text: command! }, "edit", io);
  if (text.includes("`"))
    for (const [, rest] of text.matchAll(inBackticks))
      runText(m, { ...code, text: rest!.split("`")[1] ?? "" }, "\\set", io);
  for (const [, command] of text.matchAll(piped)) runText(m, { ...code, text: command! }, "|", io);
  if (!generates.test(text) || !/\bselect\b/i.test(text)) return EMPTY;
  if (text.includes("\\gexec")) m.facts.push({ kind: "sql", of, does: "drop" });
  return generated;
}
