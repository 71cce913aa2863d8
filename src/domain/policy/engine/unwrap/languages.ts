import type { Io, Machine } from "../run/machine.ts";
import type { Field, Val } from "../value.ts";
import { scan } from "./code.ts";
import { dialects } from "./dialects.ts";
import { checkpoint, ex, pipe, sed } from "./ex.ts";
import { m4, rpm, tcl, tex } from "./macros.ts";
import { sql } from "./sql.ts";
import { runText } from "./text.ts";

/** Looks into code of one language: what it would run, delete, write, fetch. */
export type Look = (m: Machine, code: Val | Field, io: Io) => Val | undefined;

export const languages = new Map<string, Look>();

for (const dialect of dialects) {
  for (const name of dialect.names.split(" ")) languages.set(name, (m, code, io) => scan(m, dialect, code, io));
}
// The value of the code is shown.
languages.set("node -p", (m, code, io) =>
  languages.get("node")!(m, { ...code, text: `console.log(${code.text})` }, io),
);
// `ghc -e ':!cmd'`, `gnuplot -e '! cmd'`, `ipython -c '!cmd'`
for (const name of ["haskell", "gnuplot", "ipython"]) {
  const look = languages.get(name)!;
  languages.set(name, (m, code, io) => (/^\s*:?!/.test(code.text) ? ex(m, code, io) : look(m, code, io)));
}
// `<rm -rf>` are words in quotes.
languages.set("raku", (m, code, io) =>
  languages.get("groovy")!(m, { ...code, text: code.text.replace(/<([^<>]*)>/g, '"$1"') }, io),
);
languages.set("ex", ex);
languages.set("pipe", pipe);
languages.set("sed", sed);
languages.set("checkpoint", checkpoint);
languages.set("latex", tex);
languages.set("rpm-lua", rpm);
languages.set("m4", m4);
for (const name of ["tcl", "expect", "tclsh"]) languages.set(name, tcl);
languages.set("sql", sql);
languages.set("shell-session", (m, code, io) => runText(m, code, "sh", io));
