import { expect, test } from "bun:test";
import fc from "fast-check";
import { Glob, isGlob } from "./glob.ts";
import { Words } from "./words.ts";

const fitting = (words: Words, texts: string[]) => texts.map(text => words.fits(text));

test("a list takes what one of its entries takes", () => {
  expect(fitting(new Words(["main", "master", "release/*"]), ["main", "release/1", "dev"])).toEqual([
    true,
    true,
    false,
  ]);
  expect(new Words([]).fits("")).toBe(false);
});

test("words, globs and one RE2 in a list", () => {
  const words = new Words(["ns", "ns/*", "re:^name(space)?s?$"]);
  expect(fitting(words, ["ns", "ns/shop", "namespaces", "pod"])).toEqual([true, true, true, false]);
});

test("Windows words are compared without regard to case", () => {
  const words = new Words(["-Recurse", "HKLM:*", "re:^-enc"], true);
  expect(fitting(words, ["-recurse", "hklm:\\x", "-EncodedCommand", "-e"])).toEqual([true, true, true, false]);
});

test("texts that cannot match are told from those that may, in any case and beyond ASCII", () => {
  const words = new Words(["re:(?i)falcon|osqueryd", "re:^a\\.b"]);
  const texts = ["FALCON-sensor", "osquery", "a.bc", "aab", "o\u017fqueryd"];
  expect(fitting(words, texts)).toEqual([true, false, true, false, true]);
});

test("nothing is refused beforehand that one of the patterns takes", () => {
  const char = fc.constantFrom("a", "B", "k", "\u212a", "\u0130", "i", "-", "/", "7", "é", "{");
  const pattern = fc.string({ unit: fc.oneof(char, fc.constant("*")), maxLength: 6 });
  const text = fc.string({ unit: char, maxLength: 6 });
  const lower = (word: string, fold: boolean) => (fold ? word.toLowerCase() : word);
  const slow = (patterns: string[], word: string, fold: boolean) =>
    patterns
      .map(one => lower(one, fold))
      .some(one => (isGlob(one) ? new Glob(one).fits(lower(word, fold)) : one === lower(word, fold)));
  const lists = fc.array(pattern, { maxLength: 4 });
  fc.assert(
    fc.property(lists, text, fc.boolean(), fc.nat(), (patterns, word, fold, at) => {
      // As a random text fits next to nothing, one is made of a pattern as well.
      const filled = (patterns[at % (patterns.length || 1)] ?? "").replaceAll("*", word);
      const words = new Words(patterns, fold);
      for (const one of [word, filled, filled.toUpperCase()]) expect(words.fits(one)).toBe(slow(patterns, one, fold));
    }),
    { numRuns: 2000 },
  );
});
