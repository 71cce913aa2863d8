import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { parsePack } from "../src/domain/policy/rules/parse.ts";
import { readPacks } from "../src/seeds.ts";

const root = join(import.meta.dirname, "../seeds");

test("both YAML parsers read every shipped file alike", () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(file => file.endsWith(".yaml"));
  expect(files.length).toBeGreaterThan(10);
  const differing = files.filter(file => {
    const text = readFileSync(join(root, file), "utf8");
    return !Bun.deepEquals(Bun.YAML.parse(text), parse(text));
  });
  expect(differing).toEqual([]);
}, 300_000);

test("every shipped pack is valid under its own name, which start-up does not check again", () => {
  const problems = readPacks().flatMap(({ name, text }) => {
    const parsed = parsePack(text, name);
    return parsed.ok ? [] : parsed.problems.map(({ line, message }) => `${name}:${line} ${message}`);
  });
  expect(problems).toEqual([]);
}, 300_000);
