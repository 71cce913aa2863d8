import { expect, test } from "bun:test";
import { signable } from "./digest.ts";
import { parsePack } from "./parse.ts";

const read = (text: string) => {
  const parsed = parsePack(text);
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  return parsed.value;
};
const one = `pack: p
version: 1.0.0
title: "Tïtle"
rules:
  - {id: p.a, what: w, why: y, instead: i, decision: ASK, severity: low, when: {run: x}, cases: {}}
`;

test("layout and the order of members change nothing, contents do", () => {
  const other = one
    .replace("pack: p\nversion: 1.0.0\n", "version: '1.0.0'\npack: p\n")
    .replace("severity: low, ", "")
    .replace("when:", "severity: low, when:");
  expect(signable(read(other))).toEqual(signable(read(one)));
  expect(signable(read(one.replace("run: x", "run: z")))).not.toEqual(signable(read(one)));
});

test("the signed bytes name what they are", () => {
  expect(new TextDecoder().decode(signable(read(one)))).toBe(
    'gatehouse-pack-v1\n{"pack":"p","rules":[{"cases":{},"decision":"ASK","id":"p.a","instead":"i","severity":"low","what":"w","when":{"run":"x"},"why":"y"}],"title":"Tïtle","version":"1.0.0"}',
  );
});
