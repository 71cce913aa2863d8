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

/** What is put together while a module is loaded. */
const composed: RegExp[] = [];
const plain = globalThis.RegExp;
const made = (one: RegExp): RegExp => composed[composed.push(one) - 1]!;
const recorded = new Proxy(plain, {
  construct: (target, given: [string, string?]) => made(new target(...given)),
  apply: (target, _, given: [string, string?]) => made(target(...given)),
});

test("no regular expression of ours can be made to backtrack", async () => {
  const composing = sources.filter(({ file, text }) => file.startsWith("src/domain/") && text.includes("RegExp("));
  const paths = composing.map(({ file }) => join(root, file));
  // Once as they are, so that what they import is there; then anew, watched.
  for (const path of paths) await import(path);
  globalThis.RegExp = recorded;
  try {
    for (const path of paths) await import(`${path}?watched`);
  } finally {
    globalThis.RegExp = plain;
  }
  expect(composed.length).toBeGreaterThan(20);
  for (const { source, flags } of composed) found.set(`/${source}/${flags}`, "put together");
  expect(found.size).toBeGreaterThan(700);
  const slow: unknown[] = [];
  for (const [literal, file] of found) {
    const end = literal.lastIndexOf("/");
    const refused = ambiguity(literal.slice(1, end), literal.slice(end + 1));
    if (refused) slow.push({ file, literal, ...refused });
  }
  expect(slow).toEqual([]);
}, 300_000);
