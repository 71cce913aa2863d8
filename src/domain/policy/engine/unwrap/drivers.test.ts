import { expect, test } from "bun:test";
import { findings } from "../findings.ts";

const acts = (command: string) =>
  findings({ type: "shell", command }).facts.flatMap(fact => (fact.kind === "sql" ? [fact.does] : []));
const python = (code: string) => `python3 -c "import sqlite3;${code}"`;

test.each([
  ["a database in memory ends with the code", "c=sqlite3.connect(':memory:');c.execute('drop table t')", []],
  ["a comment makes none of a file", "c=sqlite3.connect('a.db');c.execute('drop table t') # :memory:", ["drop"]],
  [
    "one in memory beside a file is no excuse",
    "d=sqlite3.connect(':memory:');c=sqlite3.connect('a.db');c.execute('drop table t')",
    ["drop"],
  ],
  ["a long statement is read", `sqlite3.connect('a.db').execute('drop table t${" ".repeat(9000)}')`, ["drop"]],
] as const)("%s", (_, code, does) => {
  expect(acts(python(code))).toEqual([...does]);
});

test("a statement in an address counts however long what stands before it", () => {
  expect(acts(`curl 'http://ch:8123/?pad=${"a".repeat(3000)}&query=DROP+TABLE+t'`)).toEqual(["drop"]);
});
