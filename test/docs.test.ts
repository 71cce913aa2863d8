import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settingsHelp } from "../src/config.ts";
import { refusals } from "../src/errors.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

test("the README explains every setting, and none that is not there", () => {
  const there = [...settingsHelp().matchAll(/^ {2}(GATEHOUSE_\w+)/gm)].map(match => match[1]!);
  const explained = [...read("README.md").matchAll(/^\| `(GATEHOUSE_\w+)` \|/gm)].map(match => match[1]!);
  expect(there.length).toBeGreaterThan(10);
  expect(explained.sort()).toEqual(there.sort());
});

test("every refusal is in docs/errors.md with its status and sentence", () => {
  const rows = Object.entries(refusals).map(
    ([code, [status, sentence]]) => `| \`${code}\` | ${status} | ${sentence} |`,
  );
  const documented = read("docs/errors.md")
    .split("\n")
    .filter(line => line.startsWith("| `"));
  expect(documented).toEqual(rows);
});

test("tests that documents name are there", () => {
  const named = ["SECURITY.md", "docs/limits.md", "docs/security.md"].flatMap(document =>
    [...read(document).matchAll(/`((?:src|test)\/[\w./-]+\.ts)`/g)].map(match => match[1]!),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(file => !exists(file))).toEqual([]);
});

test("every security requirement names a test, by file and name, that is there", () => {
  const rows = read("docs/security.md")
    .split("\n")
    .filter(line => /^\| (API|V)\d/.test(line))
    .map(line => line.slice(2, -2).split(" | "));
  expect(rows.length).toBeGreaterThan(50);
  const chapters = new Set(rows.map(([name]) => /^(API|V)\d+/.exec(name!)![0]));
  const wanted = [...Array(10).keys()].map(n => `API${n + 1}`).concat([...Array(17).keys()].map(n => `V${n + 1}`));
  expect([...chapters].sort()).toEqual(wanted.sort());
  const untested = rows.filter(([, how, tests]) => tests === "–" && how !== "not used").map(([name]) => name);
  expect(untested).toEqual([]);
  const named = rows.flatMap(cells => [...cells.at(-1)!.matchAll(/`([^`]+\.test\.ts)` “([^”]+)”/g)]);
  expect(named.length).toBeGreaterThan(rows.length);
  const missing = named.filter(([, file, name]) => !exists(file!) || !read(file!).includes(`${name}`));
  expect(missing.map(([whole]) => whole)).toEqual([]);
});

test("files to deploy with name settings and flags that are there, and the unit is one that systemd takes", () => {
  const there = new Set([...settingsHelp().matchAll(/^ {2}(GATEHOUSE_\w+)/gm)].map(match => match[1]!));
  const files = readdirSync(join(root, "deploy")).map(name => `deploy/${name}`);
  expect(files.length).toBe(4);
  const named = [...files, "docs/operations.md"].flatMap(file =>
    [...read(file).matchAll(/\bGATEHOUSE_[A-Z_]+/g)].map(match => match[0]),
  );
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter(name => !there.has(name))).toEqual([]);
  for (const file of files) expect(read("docs/operations.md")).toContain(`(../${file})`);
  const folder = mkdtempSync(join(tmpdir(), "unit-"));
  const unit = join(folder, "gatehouse.service");
  writeFileSync(unit, read("deploy/gatehouse.service").replace("/usr/local/bin/gatehouse", process.execPath));
  const judged = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  // Where there is no systemd, the unit's settings are all that can be looked at.
  if (!judged.error) expect(judged.stderr.split("\n").filter(line => line.includes("gatehouse.service"))).toEqual([]);
});

test("links between documents lead somewhere", () => {
  const documents = [
    "README.md",
    "CHANGELOG.md",
    "SECURITY.md",
    ...readdirSync(join(root, "docs"))
      .filter(name => name.endsWith(".md"))
      .map(name => `docs/${name}`),
  ];
  const broken = documents.flatMap(document =>
    [...read(document).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      .map(match => join(document, "..", match[1]!))
      .filter(target => !exists(target))
      .map(target => `${document} → ${target}`),
  );
  expect(broken).toEqual([]);
});

function exists(target: string): boolean {
  try {
    readFileSync(join(root, target));
    return true;
  } catch {
    return false;
  }
}
