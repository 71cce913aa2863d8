import { expect, test } from "bun:test";
import { filters } from "./filters.ts";

const tools = { work: () => undefined, stands: false, start: () => undefined };
const of = (name: string, text: string, args: string[]) => filters.get(name)!(text, args, tools);

// What GNU coreutils 9.1, util-linux 2.38, xxd and jq 1.6 print.
test.each([
  ["od", "rm -rf /\n", ["-An", "-c"], "   r   m       -   r   f       /  \\n\n"],
  ["od", "rm\n", ["-b"], "0000000 162 155 012\n0000003\n"],
  ["od", "rm\n", ["-An", "-t", "u1"], " 114 109  10\n"],
  ["od", "abc\n", ["-An", "-v", "-tx1", "-w1"], " 61\n 62\n 63\n 0a\n"],
  ["od", "rm\n", ["-An", "-x"], undefined],
  ["hexdump", "rm -rf /\n", ["-v", "-e", '/1 "%02x"'], "726d202d7266202f0a"],
  ["hexdump", "rm\n", ["-C"], undefined],
  ["xxd", "rm -rf /\n", ["-p"], "726d202d7266202f0a\n"],
  ["sort", "b 1\na 2\nc 0\n", ["-k2"], "c 0\nb 1\na 2\n"],
  ["sort", "10\n9\n9\n", ["-nu"], "9\n10\n"],
  ["sort", "a\nb\n", ["-r"], "b\na\n"],
  ["cut", "abcdef\n", ["--characters=2-3"], "bc\n"],
  ["cut", "a,b,c\n", ["-d,", "-f1", "--complement"], "b,c\n"],
  ["cut", "a,b,c\n", ["-d,", "-f1,3", "--output-delimiter=-"], "a-c\n"],
  ["grep", "a rm -rf / b\nlog\n", ["-o", "rm -rf /"], "rm -rf /\n"],
  ["grep", "12 34\nx\n", ["-oP", "\\d+"], "12\n34\n"],
  ["grep", "a\nlog\nb\n", ["-A1", "log"], "log\nb\n"],
  ["grep", "RM x\nlog\n", ["-vi", "rm"], "log\n"],
  ["grep", "a.b\naxb\n", ["-F", "a.b"], "a.b\n"],
  ["grep", "a\n", ["-oP", "x\\Ka"], undefined],
  ["grep", "a\n", ["-f", "list"], undefined],
  ["column", "rm -rf /\n", ["-t"], "rm  -rf  /\n"],
  ["jq", "", ["-rn", '["rm","-rf","/"]|join(" ")'], "rm -rf /\n"],
  ["jq", '{"a":{"b":["x","y"]}}', ["-r", ".a.b[1]"], "y\n"],
  ["jq", '"cm0="', ["-r", ".|@base64d"], "rm\n"],
  ["jq", "", ["-rn", '"a" + ("b" | ascii_upcase)'], "aB\n"],
  ["jq", "", ["-rn", "[114,109]|implode"], "rm\n"],
  ["jq", "", ["-rn", "input_filename"], undefined],
  ["jq", "{", ["-r", ".a"], undefined],
  ["jq", "", ["-rn", `${"(".repeat(500)}"a"${")".repeat(500)}`], undefined],
])("%s on %j, %j: %j", (name, text, args, printed) => expect(of(name, text, args)).toBe(printed));

// What GNU dc 1.4.1 prints.
test.each([
  ["[rm -rf /]p", "rm -rf /\n"],
  ["114P109P32P", "rm "],
  ["29293P", "rm"],
  ["16i 72P", "r"],
  ["114an[m]n", "rm"],
  ["2 3 + p", "5\n"],
  ["[a[b]]x", undefined],
  ["1 0 / p?", undefined],
])("dc %j: %j", (program, printed) => expect(of("dc", program, [])).toBe(printed));
