import { expect, test } from "bun:test";
// The modules of the engine need one another: it is entered where a call enters it.
import "../findings.ts";
import { calledHere, lookup, tables } from "./table.ts";

test("no program stands in two rows: the later would silently win", () => {
  const names = tables.flatMap(Object.keys).flatMap(key => key.split(" "));
  expect(names.filter((name, at) => name === "" || names.indexOf(name) !== at)).toEqual([]);
});

test("versions, endings, case and short names lead to the row of the program meant", () => {
  const meant = { "python3.12": "python", "git.exe": "git", RM: "rm", k: "kubectl", "opentofu@1.8": "tofu" };
  for (const [name, program] of Object.entries(meant)) {
    expect(calledHere(name)).toBe(program);
    expect(lookup(calledHere(name)).row).toBe(lookup(program).row);
  }
  expect(calledHere("no-such-program")).toBe("no-such-program");
});
