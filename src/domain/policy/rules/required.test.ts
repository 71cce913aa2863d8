import { expect, test } from "bun:test";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { requiredTexts } from "./required.ts";

const known: [source: string, texts: string[] | undefined][] = [
  ["(^|[=\\s])(/usr)?/bin/(ba|da)?sh\\b", ["/bin/bash", "/bin/dash", "/bin/sh"]],
  ["^/bin/sh$", ["/bin/sh"]],
  ["ab?cde*f", ["abcd", "acd"]],
  ["a\\.b+c", ["a."]],
  ["[abc]xyz{2}", ["axyzz", "bxyzz", "cxyzz"]],
  ["(?i)Abc|X.?yz", ["abc", "yz"]],
  ["a(?i)bc", undefined],
  ["x{2,9}yz", ["yz"]],
  ["\\d+abc", ["abc"]],
  ["(?i)\\S+x", ["x"]],
  ["a|b*", undefined],
  ["\u{1f600}?a", undefined],
  ["\\x61bc", undefined],
  ["(^|/)(\\.\\.\\.|\\.{1,2}\\s)/", [".../", ".\t/", ".\n/", ".\f/", ".\r/", ". /"]],
  ["[*?[]", ["*", "?", "["]],
  ["[[:digit:]x]y", ["y"]],
  ["/[^/]*\\s/", ["\t/", "\n/", "\f/", "\r/", " /"]],
];
for (const [source, texts] of known) {
  test(`every match of ${source} holds one of ${JSON.stringify(texts)}`, () =>
    expect(requiredTexts(source)).toEqual(texts));
}

test("whatever RE2 finds holds one of them", () => {
  const char = fc.constantFrom("a", "b", "-", ".", " ", "[", "]", "A");
  const { pattern } = fc.letrec<{ atom: string; pattern: string }>(tie => ({
    atom: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(
        "a",
        "b",
        "ab",
        ".",
        "\\.",
        "\\s",
        "\\w",
        "^",
        "$",
        "\\b",
        "[ab]",
        "[^a]",
        "[]a]",
        "[a-b-]",
        "-",
        "{",
        "[a[]",
        "[[:alpha:]b]",
        "[[:^alpha:]b]",
        "\\S",
      ),
      tie("pattern").map(inside => `(${inside})`),
      tie("pattern").map(inside => `(?:${inside})`),
    ),
    pattern: fc
      .array(
        fc.tuple(tie("atom"), fc.constantFrom("", "", "", "?", "*", "+", "+?", "{2}", "{1,2}", "{0,1}", "{1,}", "|")),
        {
          maxLength: 4,
        },
      )
      .map(parts => parts.map(([atom, sign]) => atom + sign).join("")),
  }));
  let told = 0;
  fc.assert(
    fc.property(pattern, fc.boolean(), fc.array(char, { maxLength: 12 }), (inside, fold, chars) => {
      const source = (fold ? "(?i)" : "") + inside;
      const texts = requiredTexts(source);
      let compiled: RE2JS;
      try {
        compiled = RE2JS.compile(source);
      } catch {
        return;
      }
      if (texts === undefined) return;
      const text = chars.join("");
      const seen = fold ? text.toLowerCase() : text;
      if (!compiled.matcher(text).find()) return;
      told++;
      expect(texts.some(one => seen.includes(one))).toBe(true);
    }),
    { numRuns: 2000, seed: 7 },
  );
  expect(told).toBeGreaterThan(50);
});
