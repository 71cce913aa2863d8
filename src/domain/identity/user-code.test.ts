import { expect, test } from "bun:test";
import fc from "fast-check";
import { makeUserCode, readUserCode, showUserCode, USER_CODE_ALPHABET } from "./user-code.ts";

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

test("what is shown is read back, however it is typed", () => {
  const shape = new RegExp(`^[${USER_CODE_ALPHABET}]{4}-[${USER_CODE_ALPHABET}]{4}$`);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), seed => {
      let fed = false;
      const code = makeUserCode(bytes => (fed ? random(bytes) : ((fed = true), seed)));
      const shown = showUserCode(code);
      expect(shown).toMatch(shape);
      for (const typed of [
        shown,
        shown.toLowerCase(),
        code,
        ` ${code.slice(0, 3)} ${code.slice(3)} `,
        shown.replace("-", "–"),
      ])
        expect(readUserCode(typed)).toBe(code);
    }),
  );
});

test("anything else is not a code", () => {
  for (const typed of ["", "BCDF-GHJ", "BCDF-GHJKL", "ACDF-GHJK", "BCDF_GHJK", "ſCDF-GHJK", "-".repeat(1000)])
    expect(readUserCode(typed)).toBeUndefined();
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), typed => {
      const code = readUserCode(typed);
      if (code !== undefined) expect([...code].every(letter => USER_CODE_ALPHABET.includes(letter))).toBe(true);
    }),
  );
});

test("every letter is as likely as another", () => {
  const counts = new Map<string, number>();
  let next = 0;
  const everyByte = (bytes: number) => Uint8Array.from({ length: bytes }, () => next++ % 256);
  for (let i = 0; i < 240 * 5; i++)
    for (const letter of makeUserCode(everyByte)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const [min, max] = [Math.min(...counts.values()), Math.max(...counts.values())];
  expect(counts.size).toBe(20);
  expect(max - min).toBeLessThan(0.05 * max);
});
