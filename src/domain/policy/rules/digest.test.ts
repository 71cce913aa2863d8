import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { packDigest, signable } from "./digest.ts";
import { parsePack } from "./parse.ts";

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
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
  expect(packDigest(read(other), sha256)).toBe(packDigest(read(one), sha256));
  expect(packDigest(read(one.replace("run: x", "run: z")), sha256)).not.toBe(packDigest(read(one), sha256));
});

test("the signed bytes name what they are", () => {
  expect(new TextDecoder().decode(signable(read(one)))).toBe(
    'gatehouse-pack-v1\n{"pack":"p","rules":[{"cases":{},"decision":"ASK","id":"p.a","instead":"i","severity":"low","what":"w","when":{"run":"x"},"why":"y"}],"title":"Tïtle","version":"1.0.0"}',
  );
  expect(packDigest(read(one), sha256)).toMatch(/^[0-9a-f]{64}$/);
});
