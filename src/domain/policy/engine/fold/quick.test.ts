import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Command, parse, type Word } from "unbash";
import { quickPieces } from "./quick.ts";

const word = (text: string): Word | undefined => {
  const script = parse(`: ${text}`);
  const node = script.commands[0]?.command as Command | undefined;
  const only = script.commands.length === 1 && node?.type === "Command" && node.suffix.length === 1;
  return only && !script.errors?.length ? (node.suffix[0] as Word) : undefined;
};
const read = (text: string) => quickPieces({ text } as Word)?.map(piece => piece.text);

test("plain text, quotes and variables by name", () => {
  expect(read("a-b/c.d")).toEqual(["a-b/c.d"]);
  expect(read("'a b'c\"d e\"")).toEqual(["a b", "c", "d e"]);
  expect(read('"/tmp/$f.bak"')).toEqual(["/tmp/", "$f", ".bak"]);
  expect(read("''")).toEqual([""]);
  expect(read('""')).toEqual([""]);
});

test("everything that expands in another way is left to the full treatment", () => {
  for (const text of [
    "a*",
    "a?",
    "[a]",
    "{a,b}",
    "~",
    "~/x",
    "a\\b",
    "$(a)",
    "`a`",
    "$1",
    "$@",
    "${a}",
    "$'a'",
    '"a\\n"',
    "'a",
    '"a',
    "<(a)",
    "@(a)",
  ])
    expect([text, read(text)]).toEqual([text, undefined]);
});

/** The parser's own reading, for words in which nothing expands. */
test("agrees with the parser", () => {
  const piece = fc.constantFrom(
    "a",
    "b c",
    "'",
    '"',
    "$x",
    "/",
    "-",
    "=",
    ".",
    "{",
    "}",
    ",",
    "*",
    "\\",
    "~",
    "!",
    "$",
    "#",
    "1",
    "\u00e9",
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), pieces => {
      const parsed = word(pieces.join(""));
      const quick = parsed && quickPieces(parsed);
      if (parsed === undefined || quick === undefined) return;
      expect(quick.map(({ text }) => text).join("")).toBe(parsed.value);
    }),
    { numRuns: 3000 },
  );
});
