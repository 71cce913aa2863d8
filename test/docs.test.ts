import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
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
