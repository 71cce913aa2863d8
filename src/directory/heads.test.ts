import { expect, test } from "bun:test";
import { testDirectory } from "../../test/directory.ts";

const hash = (letter: string) => letter.repeat(64);

test("a head only moves forward, before and after it is written", () => {
  const { heads, flush } = testDirectory().directory;
  for (const written of [false, true]) {
    const org = `org_${written}`;
    const settle = () => written && flush();
    expect(heads.recorded(org)).toBeUndefined();
    expect(heads.note(org, { seq: 5, hash: hash("a") })).toBe(true);
    settle();
    expect(heads.note(org, { seq: 4, hash: hash("b") })).toBe(false);
    expect(heads.note(org, { seq: 5, hash: hash("b") })).toBe(false);
    expect(heads.note(org, { seq: 5, hash: hash("a") })).toBe(true);
    expect(heads.note(org, { seq: 9, hash: hash("c") })).toBe(true);
    settle();
    expect(heads.recorded(org)).toEqual({ seq: 9, hash: hash("c") });
    heads.reset(org, { seq: 2, hash: hash("d") });
    expect(heads.recorded(org)).toEqual({ seq: 2, hash: hash("d") });
  }
});
