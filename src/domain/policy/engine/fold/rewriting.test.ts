import { expect, test } from "bun:test";
import { awk } from "./awk.ts";
import { sed } from "./sed.ts";

const started: string[] = [];
const tools = {
  work: () => undefined,
  stands: false,
  start: (command: string, input: string) => {
    started.push(`${command} < ${input}`);
    return `${command}\n`;
  },
};

// What GNU sed 4.9 prints.
test.each([
  ["mr -rf /\n", ["s/\\(.\\)\\(.\\)/\\2\\1/"], "rm -rf /\n"],
  ["/ -rf rm\n", ["-E", "s/(\\S+) (\\S+) (\\S+)/\\3 \\2 \\1/"], "rm -rf /\n"],
  ["a\nb\nc\n", [":a;N;$!ba;s/\\n/ /g"], "a b c\n"],
  ["a\nb\nc\n", ["-n", "1!G;h;$p"], "c\nb\na\n"],
  ["a\nb\nc\nd\n", ["/b/,/c/s/$/!/"], "a\nb!\nc!\nd\n"],
  ["a.b.c\n", ["s/\\./X/2"], "a.bXc\n"],
  ["aaa\n", ["s/a*/x/g"], "x\n"],
  ["[x]\n", ["s/[][]//g"], "x\n"],
  ["a+b\n", ["s/a+b/x/"], "x\n"],
  ["rm\n", ["s/.*/\\U&/"], "RM\n"],
  ["hello\n", ["-e", "s/l/L/g", "-e", "s|o|/|"], "heLL/\n"],
  ["abc\n", ["y/abc/xyz/"], "xyz\n"],
  ["a\nb\n", ["-n", "/b/{s/b/z/;p}"], "z\n"],
  ["a\nb\n", ["1i zz"], "zz\na\nb\n"],
  ["foo\n", ["s/o/0/;ta;s/f/X/;:a"], "f0o\n"],
])("sed on %j: %j", (text, args, printed) => expect(sed(text, args, tools)).toBe(printed));

test.each([["N;P;D"], ["r /etc/x"], ["w x"], ["s/a/b"], ["s/\\(a\\)\\1/b/"], ["{p"], ["bnowhere"], ["/a"]])(
  "sed %j is not followed",
  script => expect(sed("a\nb\n", [script], tools)).toBeUndefined(),
);

// What mawk 1.3.4 prints.
test.each([
  ["a,b\n", ["-F,", '{print $2" "$1}'], "b a\n"],
  ["", ['BEGIN{for(i=1;i<=3;i++) printf "%d-", i; print ""}'], "1-2-3-\n"],
  ["rm,-rf,/\n", ['{n=split($0,a,","); for(i=1;i<=n;i++) printf "%s ", a[i]}'], "rm -rf / "],
  ["a1b22\n", ['{gsub(/[0-9]+/,"<&>"); print toupper($0)}'], "A<1>B<22>\n"],
  ["x\n", ["-v", "a=q", "{ sub(/x/, a); print; print length }"], "q\n1\n"],
  ["a b\nc d\n", ["NR==2 {print $1; exit} END {print NR}"], "c\n2\n"],
  ["3\n1\n2\n", ["$1>1{s+=$1} END{print s, s/2, 2^3}"], "5 2.5 8\n"],
  ["a:b\n", ['BEGIN{FS=":";OFS="-"}{$1=$1;print}'], "a-b\n"],
  ["", ['BEGIN{printf "%c%c%5s|%-4d|%x\\n", 114, "mx", "ab", 7, 255}'], "rm   ab|7   |ff\n"],
  [
    "",
    ['BEGIN{print substr("hello",2,3) substr("hello",4); print index("abc","c"), match("foobar",/o+/)}'],
    "elllo\n3 2\n",
  ],
  ["x y\n", ['{ if ($1 == "x") { print "one" } else if ($1 ~ "z") print "two"; else print "three" }'], "one\n"],
  ["", ['BEGIN{i=5; while(i-->3) print i; print (1>2)?"a":"b"}'], "4\n3\nb\n"],
  ["a\nb\n", ["NR>1"], "b\n"],
])("awk on %j: %j", (text, args, printed) => expect(awk(text, args, tools)).toBe(printed));

test.each([
  ['BEGIN{print ENVIRON["c"]}'],
  ["function f(x){return x} {print f(1)}"],
  ['BEGIN{"date" | getline d; print d}'],
  ["{print $1"],
  [`BEGIN{print ${"(".repeat(2000)}1${")".repeat(2000)}}`],
])("awk %j is not followed", script => expect(awk("a\n", [script], tools)).toBeUndefined());

test("what they start is told with what it is given", () => {
  started.length = 0;
  awk("", ['BEGIN{system("l" "s"); print "a" | "sh"; print "b" | "sh"}'], tools);
  expect(sed("/\n", ["s/.*/rm -rf &/e"], tools)).toBe("rm -rf /\n");
  sed("x\n", ["1e id"], tools);
  expect(started).toEqual(["ls < ", "sh < a\nb\n", "rm -rf / < ", "id < "]);
});

test("one line that stands for many has one column and fits every condition", () => {
  const many = { ...tools, stands: true };
  expect(awk("/usr/*\n", ['NR>1{print "rm " $6}'], many)).toBe("rm /usr/*\n");
  expect(awk("/usr/*\n", ['NR>1{print "rm " $6}'], tools)).toBe("");
});

test("endless programs end with the work they may do", () => {
  let left = 100_000;
  const bounded = {
    ...tools,
    work: (chars: number) => {
      left -= chars;
      if (left < 0) throw new Error("worked");
    },
  };
  expect(() => awk("", ['BEGIN{for(;;) x=x "a"}'], bounded)).toThrow("worked");
  left = 100_000;
  expect(() => sed("a\n", [":a;s/$/a/;ba"], bounded)).toThrow("worked");
});
