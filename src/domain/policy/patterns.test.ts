import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import jsTokens from "js-tokens";
import { ambiguity } from "../../../test/backtracking/ambiguity.ts";

/**
 * Commands, calls, policies and files to be scanned are written by strangers: no pattern that reads them may need more time
 * than grows with their length. Where one is refused, say what a loop must not read: `[^"]*"` for `.*?"`, `[ \t]*` between
 * lines, `(?<!\/)\/+$` at the end, or a scanner.
 */
const root = join(import.meta.dirname, "../../..");
const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter(file => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("web"))
  .map(file => ({ file: `src/${file}`, text: readFileSync(join(root, "src", file), "utf8") }));

/** Every regular expression written in the text. A `!` with a blank behind it ends a value: what follows divides. */
function literals(text: string): string[] {
  const tokens = [...jsTokens(text.replaceAll("! /", " /"))];
  return tokens.flatMap(token => (token.type === "RegularExpressionLiteral" ? [token.value] : []));
}

const found = new Map<string, string>();
for (const { file, text } of sources) for (const literal of literals(text)) found.set(literal, file);

test("no regular expression of ours can be made to backtrack", () => {
  expect(found.size).toBeGreaterThan(700);
  const slow: unknown[] = [];
  for (const [literal, file] of found) {
    const end = literal.lastIndexOf("/");
    const refused = ambiguity(literal.slice(1, end), literal.slice(end + 1));
    if (refused) slow.push({ file, literal, ...refused });
  }
  expect(slow).toEqual([]);
}, 60_000);

/** Where a regular expression is put together when it runs: of literals that are tested above, or of what cannot repeat. */
const composed: Record<string, number> = {
  "src/client/install/recipe.ts": 1,
  "src/comply/source.ts": 1,
  "src/domain/audit/redact.ts": 5,
  "src/domain/policy/engine/fold/filters.ts": 3,
  "src/domain/policy/engine/programs/effects.ts": 2,
  "src/domain/policy/engine/programs/project-files.ts": 1,
  "src/domain/policy/engine/programs/senders.ts": 1,
  "src/domain/policy/rules/pattern.ts": 1,
  "src/domain/policy/rules/sentence.ts": 1,
  "src/store/sqlite/redaction.ts": 1,
};

test("regular expressions are put together in places that are known", () => {
  const places = sources.flatMap(({ file, text }) => {
    const count = text.split(/\bRegExp\(/).length - 1;
    return count > 0 ? [[file, count]] : [];
  });
  expect(Object.fromEntries(places)).toEqual(composed);
});
