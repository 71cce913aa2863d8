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

test("tests and code that documents name are there", () => {
  const named = ["SECURITY.md", "docs/limits.md", "docs/security.md", "docs/asvs.md"].flatMap(document =>
    [...read(document).matchAll(/`((?:src|test)\/[\w./-]+\.tsx?)`/g)].map(match => match[1]!),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(file => !exists(file))).toEqual([]);
});

test("files of the engine that its description names are there", () => {
  const named = [
    ...read("docs/engine.md").matchAll(/`((?:engine|rules|run|fold|programs|unwrap|windows|mcp)\/[\w-]+\.ts)`/g),
  ];
  const policy = "src/domain/policy";
  const missing = named.filter(([, file]) => !exists(`${policy}/${file}`) && !exists(`${policy}/engine/${file}`));
  expect(named.length).toBeGreaterThan(20);
  expect(missing.map(([file]) => file)).toEqual([]);
});

/** The cells of a table's rows that begin so. */
const rowsOf = (document: string, begin: RegExp) =>
  read(document)
    .split("\n")
    .filter(line => begin.test(line))
    .map(line => line.slice(2, -2).split(" | "));
const testsIn = (cell: string) => [...cell.matchAll(/`([^`]+\.test\.ts)` “([^”]+)”/g)];
const missingTests = (rows: string[][]) =>
  rows
    .flatMap(cells => testsIn(cells.at(-1)!))
    .filter(([, file, name]) => !exists(file!) || !read(file!).includes(name!))
    .map(([whole]) => whole);

test("every risk of the API Top 10 names a test, by file and name, that is there", () => {
  const rows = rowsOf("docs/security.md", /^\| API\d/);
  expect(rows.map(([risk]) => /^API\d+/.exec(risk!)![0])).toEqual([...Array(10).keys()].map(n => `API${n + 1}`));
  expect(rows.filter(cells => testsIn(cells.at(-1)!).length === 0)).toEqual([]);
  expect(missingTests(rows)).toEqual([]);
});

/** `1.2.6–1.2.8, 1.3.1` → each id. */
const requirementsOf = (ids: string) =>
  ids.split(", ").flatMap(range => {
    const [first, last] = range.split("–").map(id => id.split(".").map(Number));
    const [chapter, section, from] = first!;
    const length = (last ?? first!)[2]! - from! + 1;
    return Array.from({ length }, (_, n) => `${chapter}.${section}.${from! + n}`);
  });

test("each ASVS requirement of levels 1 and 2 is there once, what is met names a test or code, the count is right", () => {
  const rows = rowsOf("docs/asvs.md", /^\| \d/);
  const ids = rows.flatMap(([ids]) => requirementsOf(ids!));
  expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([]);
  const chapters = [...new Set(ids.map(id => Number.parseInt(id, 10)))];
  expect(chapters).toEqual([...Array(17).keys()].map(n => n + 1));
  expect(rows.filter(cells => cells.length !== 6 || (cells[3] === "met" && !cells[5]!.includes("`")))).toEqual([]);
  expect(missingTests(rows)).toEqual([]);
  const counted = (met: string | undefined, level: string) =>
    rows
      .filter(cells => (met === undefined || cells[3] === met) && cells[1] === level)
      .reduce((sum, [ids]) => sum + requirementsOf(ids!).length, 0);
  // As many as the standard has.
  expect([counted(undefined, "1"), counted(undefined, "2")]).toEqual([70, 183]);
  const told = rowsOf("docs/security.md", /^\| (met|partly|not met|operator|not applicable) /);
  expect(told.map(([met]) => [met!, String(counted(met, "1")), String(counted(met, "2"))])).toEqual(told);
  expect(told.flatMap(cells => cells.slice(1)).reduce((sum, figure) => sum + Number(figure), 0)).toBe(ids.length);
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
