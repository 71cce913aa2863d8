/** What the engine says against what bash itself says. Skipped, with the reason, where there is no bash. */
import { spawnSync } from "node:child_process";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { findings } from "../../src/domain/policy/engine/findings.ts";
import type { Invocation } from "../../src/domain/policy/facts.ts";
import { hardCommands } from "./hard-commands.ts";
import { mutate, mutators, stacks } from "./mutators.ts";

const found = spawnSync("sh", ["-c", "command -v bash"], { encoding: "utf8" });
const program = found.status === 0 ? found.stdout.trim() : "";
const missing = program === "";
if (missing) process.stderr.write("oracle tests skipped: no bash on this machine\n");

/** Runs `ORACLE_RUNS` times as much under `npm run fuzz`. */
const runs = Number(process.env["ORACLE_RUNS"] ?? 1);

/** The same in every run of the suite, fresh under `npm run fuzz`. */
const seedOf = (fixed: number): number => (runs > 1 ? Date.now() | 0 : fixed);
const batch = 300;

const bash = (args: string[]) =>
  spawnSync(program, ["--norc", "--noprofile", ...args], {
    encoding: "utf8",
    env: { PATH: "/nonexistent", HOME: "~" },
    timeout: 120_000,
  });

const find = (command: string) => findings({ type: "shell", command });
const broken = [
  "if true",
  "echo 'a",
  'echo "a',
  "a | | b",
  "a && ; b",
  "for i in; do",
  "echo $(ls",
  "{ a",
  "( a",
  "case x in a)",
  "a; }",
  "f() {",
  "done",
  "fi",
  "echo `ls",
];

test.skipIf(missing)("bash -n and the engine agree on what is a command", () => {
  const texts = [...hardCommands, ...broken];
  for (const [command, choices] of fc.sample(fc.tuple(fc.constantFrom(...hardCommands), stacks(3)), {
    numRuns: 80 * runs,
    seed: seedOf(11),
  })) {
    texts.push(mutate(command, choices).text);
  }
  for (const text of texts) {
    const valid = spawnSync(program, ["-n", "-c", text], { encoding: "utf8" }).status === 0;
    const refused = find(text).gaps.some(g => g.why === "parse_error");
    if (!valid && !refused) throw new Error(`bash refuses and the engine takes: ${text}`);
    if (valid && broken.includes(text)) throw new Error(`bash takes ${text}`);
  }
});

const piece = fc.oneof(
  fc.constantFrom(
    "a",
    "b1",
    "x-y",
    "'q r'",
    '"d e"',
    "\\ ",
    "\\$",
    "$'\\x41\\n'",
    "$'\\101'",
    "$v",
    '"$v"',
    "${v}",
    "${v:1}",
    "${v:0:2}",
    "${v#a}",
    "${v%c}",
    "${v/b/X}",
    "${v^^}",
    "${u:-dflt}",
    "${#v}",
    "{1,2}",
    "{a..c}",
    "$((1+2))",
    '"$@"',
    "${v: -1}",
    "$(printf 'p q')",
    '"$(printf "p q")"',
    "`printf z`",
    "${w}",
    '"${w}"',
    "${arr[1]}",
    '"${arr[@]}"',
    "${!n}",
    "${v//[ab]/-}",
    "''",
    '""',
  ),
);
const word = fc.array(piece, { minLength: 1, maxLength: 4 }).map(p => p.join(""));
const setup = "v=abc; w='s  t'; arr=(one 'two three'); n=v; ";

test.skipIf(missing)("literal words are what bash passes on", () => {
  const words = fc.sample(word, { numRuns: batch * runs, seed: seedOf(5) });
  const printed: string[] = [];
  // One argument of a program may be 128 KB long.
  for (let from = 0; from < words.length; from += batch) {
    const some = words.slice(from, from + batch).map(w => `printf '%s\\037' ${w}; printf '\\036'`);
    printed.push(
      ...bash(["-c", `${setup}set -f; ${some.join("; ")}`])
        .stdout.split("\x1e")
        .slice(0, -1),
    );
  }
  for (const [i, w] of words.entries()) {
    const call = find(`${setup}zz -- ${w}`).subjects.find(
      (s): s is Invocation => s.kind === "run" && s.program === "zz",
    );
    if (call?.args.some(a => !a.known)) continue;
    const ours = (call?.args ?? []).map(a => a.text);
    const theirs = printed[i]!.split("\x1f").slice(0, -1);
    if (ours.length === 0 && theirs.length === 1 && theirs[0] === "") continue;
    expect({ w, words: ours }).toEqual({ w, words: theirs });
  }
});

/** Nothing in these names a file or a program that exists where `PATH` is empty. */
const tame = ["zrm -rf zdir", "zcurl -s z.test", "zgit push --force zorigin zmain", "zdd if=z of=y"];
const safe = mutators.filter(m => !/^(path|write|source|python|perl|alias)/.test(m.name) && m.name !== "exec builtin");

test.skipIf(missing)("whatever bash would start, the engine has named", () => {
  const handler = "command_not_found_handle() { printf '%s\\036' \"$1\" >&2; return 0; }; ";
  for (const [command, choices] of fc.sample(fc.tuple(fc.constantFrom(...tame), stacks(3)), {
    numRuns: 60 * runs,
    seed: seedOf(3),
  })) {
    const { text } = mutate(command, choices, safe);
    if (/[<>]\s*\/|\/(bin|usr|tmp)\//.test(text)) continue;
    const tried = bash(["-c", handler + text])
      .stderr.split("\x1e")
      .slice(0, -1)
      .map(t => t.split("\n").at(-1)!);
    const named = new Set(find(text).subjects.map(s => (s.kind === "run" ? s.program : "")));
    for (const name of tried) if (!named.has(name)) throw new Error(`${name} is not named in ${text}`);
  }
});
