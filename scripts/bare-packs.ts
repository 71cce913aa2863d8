import { createHash } from "node:crypto";
import { ruleNames } from "../src/domain/policy/rules/relevant.ts";
import { readPacks } from "../src/seeds.ts";

/** Prints the packs as hooks read them: JSON, without what only authors and tests need, with the names of their rules. */
const read = readPacks();
const names = ruleNames(read.map(({ value }) => value));
const packs = read.map(({ text, value }, n) => ({
  sha256: createHash("sha256").update(text).digest("hex"),
  value: { ...value, rules: value.rules.map(({ cases: _, attack: __, controls: ___, ...rule }) => rule) },
  names: names[n],
}));
console.log(JSON.stringify(packs));
