import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run as completions } from "../../src/cli/completions.ts";
import { commands } from "../../src/cli/help.ts";
import type { Run } from "../../src/cli/io.ts";
import { useLaptop } from "./laptop.ts";

const laptop = useLaptop();
const { call } = laptop;
const main = join(import.meta.dirname, "../../src/main.ts");
const verbs = [...readFileSync(main, "utf8").matchAll(/^ {2}(\w+): \(\) => import/gm)].map(([, verb]) => verb!);
const load = async (verb: string) => ((await import(`../../src/cli/${verb}.ts`)) as { run: Run }).run;
const flagsIn = (text: string) => [...new Set(text.match(/--[a-z][a-z-]+/g) ?? [])].sort();

test("the list of commands names every command, and nothing else", async () => {
  expect(Object.keys(commands).sort()).toEqual([...verbs].sort());
  const { code, out } = await call(await load("help"), []);
  expect([code, verbs.filter(verb => !out.includes(`  ${verb} `))]).toEqual([0, []]);
});

describe.each(verbs)("%s", verb => {
  test("tells how it is used", async () => {
    const { code, out, err } = await call(await load(verb), ["--help"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain(`gatehouse ${verb === "help" ? "<command>" : verb}`);
  });

  test("completions know its flags", async () => {
    const told = flagsIn((await call(await load(verb), ["--help"])).out).filter(flag => flag !== "--help");
    // Of `serve` only those that are used by hand.
    const wanted = verb === "serve" ? ["--host", "--port", "--data"] : told;
    for (const shell of ["bash", "zsh", "fish", "powershell"]) {
      const line = (await call(completions, [shell])).out
        .split("\n")
        .find(each => new RegExp(`(^ *'?|from )${verb}[)"']`).test(each))!;
      expect([shell, wanted.filter(flag => !line.includes(flag))]).toEqual([shell, []]);
    }
  });
});

const withFlags = verbs.filter(verb => verb !== "help");
test.each(withFlags)("%s with a flag it does not know: exit 2 and nothing on standard output", async verb => {
  const { code, out, err } = await call(await load(verb), ["--no-such-flag"]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).not.toBe("");
});

const withoutJson = ["serve", "hook", "completions", "help"];
test.each(verbs.filter(verb => !withoutJson.includes(verb)))("%s has --json", async verb => {
  expect((await call(await load(verb), ["--help"])).out).toContain("--json");
});

test("the scripts are well formed for the shells that are here", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    if (spawnSync(shell, ["--version"]).status !== 0) continue;
    const { out } = await call(completions, [shell]);
    expect([shell, spawnSync(shell, ["-n"], { input: out, encoding: "utf8" }).stderr]).toEqual([shell, ""]);
  }
});

const gatehouse = (...args: string[]) => spawnSync(process.execPath, [main, ...args], { encoding: "utf8" });

test("a word that is no command is not understood, and a slip is named", () => {
  expect(gatehouse("deploy")).toMatchObject({ status: 2, stderr: expect.stringContaining("`gatehouse help`") });
  expect(gatehouse("instal").stderr).toContain("Did you mean install?");
});

test("`help <command>` is `<command> --help`", () => {
  expect(gatehouse("help", "login")).toMatchObject({ status: 0, stdout: gatehouse("login", "--help").stdout });
  expect(gatehouse("help", "logn")).toMatchObject({ status: 2, stderr: expect.stringContaining("login") });
});

test.each([
  ["check", ["--jsn", "--", "ls"], "--jsn is not known. Did you mean --json?"],
  ["install", ["claude"], "Did you mean claude-code?"],
  ["comply", ["scna"], "Did you mean scan?"],
  ["policy", ["tset"], "Did you mean test?"],
  ["org", ["lsit"], "Did you mean list?"],
  ["org", ["list", "all"], '"all" is one word too many.'],
  ["org", ["add", "Acme"], "--admin names"],
  ["account", [], "Say what to do: add, reset."],
  ["account", ["add"], "Something is missing."],
  ["account", ["add", "a@example.com", "--rol", "admin"], "Did you mean --role?"],
  ["backup", [], "The name of the file is missing."],
  ["restore", [], "The name of the file is missing."],
  ["completions", ["tcsh"], "There is no script for tcsh."],
  ["hook", [], "the name of the agent is missing"],
  ["login", ["http://127.0.0.1:1"], "http://127.0.0.1:1 could not be reached (nothing listens there)."],
  ["login", ["https://no-such-host.invalid"], "(there is no machine of that name)"],
  ["verify", ["/no/such/folder"], "`gatehouse verify --help`"],
] as const)("%s %j says what helps", async (verb, args, says) => {
  const { code, err } = await call(await load(verb), [...args]);
  expect([code > 0, err]).toEqual([true, expect.stringContaining(says)]);
});

test.each([
  ["org", ["list"]],
  ["org", ["add"]],
  ["org", ["delete", "org_1", "--confirm", "Acme"]],
  ["account", ["reset", "ada@example.com"]],
  ["account", ["add", "ada@example.com", "--role", "king"]],
  ["backup", ["copy"]],
] as const)("%s %j makes no data directory where there is none", async (verb, args) => {
  const data = join(laptop.folder, "elsewhere");
  const { code, out } = await call(await load(verb), [...args], "", { GATEHOUSE_DATA: data });
  expect([code > 0, out, existsSync(data)]).toEqual([true, "", false]);
});
