import type { Io, Machine } from "../run/machine.ts";
import type { Field, Val } from "../value.ts";
import { scan } from "./code.ts";
import { dialects } from "./dialects.ts";
import { checkpoint, ex, sed } from "./ex.ts";
import { sql } from "./sql.ts";
import { runText } from "./text.ts";

/** Looks into code of one language: what it would run, delete, write, fetch. */
export type Look = (m: Machine, code: Val | Field, io: Io) => Val | undefined;

export const languages = new Map<string, Look>();

for (const dialect of dialects) {
  for (const name of dialect.names.split(" ")) languages.set(name, (m, code, io) => scan(m, dialect, code, io));
}
languages.set("ex", ex);
languages.set("sed", sed);
languages.set("checkpoint", checkpoint);
languages.set("sql", (m, code) => sql(m, code.text));
languages.set("shell-session", (m, code, io) => runText(m, code, "sh", io));
