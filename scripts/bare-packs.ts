import { createHash } from "node:crypto";
import { readPacks } from "../src/seeds.ts";

/** Prints the packs as hooks read them: JSON, without what only authors and tests need. */
const packs = readPacks().map(({ text, value }) => ({
  sha256: createHash("sha256").update(text).digest("hex"),
  value: { ...value, rules: value.rules.map(({ cases: _, attack: __, controls: ___, ...rule }) => rule) },
}));
console.log(JSON.stringify(packs));
