import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parse } from "unbash";
import { hardCommands } from "../../../../test/corpus/hard-commands.ts";
import { quickPieces } from "./fold/quick.ts";
import { readPlain } from "./plain.ts";
import { QuotedWord } from "./plain-word.ts";

/** All that can be asked of a node, those members included that are worked out when asked. */
function shape(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(shape);
  if (node === null || typeof node !== "object") return node;
  const { type, text, value, pos, end, parts } = node as Record<string, unknown>;
  if (type === "Word") return { type, text, value, pos, end, parts: shape(parts) };
  const members = Object.entries(node).filter(([name, value]) => name !== "parsed" && value !== undefined);
  return Object.fromEntries(members.map(([name, value]) => [name, shape(value)]));
}

function quotedIn(node: unknown): QuotedWord[] {
  if (node instanceof QuotedWord) return [node];
  return node === null || typeof node !== "object" ? [] : Object.values(node).flatMap(quotedIn);
}

const asParsed = (text: string) => expect(shape(readPlain(text))).toEqual(shape(parse(text)));

const read = [
  "git status",
  "  ls -la ./src\t/tmp ",
  "npm ci && npm test || echo failed; echo done",
  "cat a.txt | grep -v 'x y' | sort -u > out.txt 2>&1",
  'git commit -m "fix: it\'s $done" && git push origin HEAD:main &',
  "make -j4\n\nmake install\n",
  "tool --name=value A=b ~/x a~b {} -I{} \\; a\\ b ^x",
  'echo ""\'\' "$a$b"$c',
  "a >>f <g 2>/dev/null >&2 1>x",
  "a |\n b &&\n c",
  "ls *.ts src/?/*.js '*.c' \"*\" \"$a\"/*.d --not=*.x a'b'*c*",
  "echo 'two\nlines' \"two\nlines\"",
];

const left = [
  "",
  "  ",
  "# remark",
  "a # remark",
  "A=1 b",
  "a $(b)",
  "a `b`",
  "a ${b}",
  "a $1 $@",
  'a "\\n"',
  "a 'open",
  'a "open',
  "a {b,c}",
  "a <<X\nX",
  "a <<<b",
  "a <(b)",
  "a |& b",
  "a &> b",
  "a;; b",
  "a &&",
  "| a",
  "if a; then b; fi",
  "time a",
  "! a",
  "export A=b",
  "eval a",
  "alias a=b",
  "f() { a; }",
  "(a)",
  "2>f a",
  "a 12>f",
  "a > *",
  "a* b",
  "a *[bc]",
  "a ~/*",
  "a *(b)",
  "a \\\n b",
  "a\r",
  "é",
  'a "é"',
  "'rm' x",
  "a ~'x'",
  'a {}"x"',
  "$rm x",
  "r\\m x",
];

/** What texts of shells are made of, and what could be mistaken for it. */
const pieces = fc.constantFrom(
  ...'a b 1 2 = - / . ~ : , @ + ^ % ! # ( ) * ? [ ] { } {} $ $a ${ $( ` \\ \\; \' " \'x y\' "x y" "$a b" \'\' ""'.split(
    " ",
  ),
  ..."| || |& & && ; ;; > >> >& >| &> < << <<< <& <> <( 2> 2>&1 10> a=b if fi do time in export eval {a,b} é".split(
    " ",
  ),
  " ",
  "  ",
  "\t",
  "\n",
  "\r",
  "\ufffc",
);

describe("plain commands", () => {
  test.each(read)("%j is read as the parser does", text => asParsed(text));

  test.each(left)("%j is left to the parser", text => expect(readPlain(text)).toBeUndefined());

  test("most of what is hard for the rest of the engine is read", () => {
    const texts = hardCommands.filter(text => readPlain(text) !== undefined);
    expect(texts.length).toBeGreaterThan(hardCommands.length / 2);
    for (const text of texts) asParsed(text);
  });

  test("whatever is read, is read as the parser does", () => {
    const texts = fc.array(pieces, { minLength: 1, maxLength: 9 }).map(some => some.join(""));
    fc.assert(
      fc.property(
        fc.oneof(
          texts,
          texts.map(text => `a ${text}`),
        ),
        text => {
          const script = readPlain(text);
          // The parts of a word cost a parse of the whole text: nothing may need them.
          for (const word of quotedIn(script)) expect(quickPieces(word, undefined, true)).toBeDefined();
          if (script !== undefined) asParsed(text);
        },
      ),
      { numRuns: 5000 },
    );
  });
});
