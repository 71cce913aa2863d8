import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeLeaf, encodeLeaf, type Leaf, noHash } from "./leaf.ts";

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytes => bytes.toHex());
const leaf = fc.record(
  {
    agent: fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/),
    decision: fc.constantFrom("ALLOW", "WARN", "ASK", "BLOCK"),
    digest: hash,
    kind: fc.stringMatching(/^[a-z0-9._-]{1,20}$/),
    prev: hash,
    seq: fc.nat(),
    ts: fc.nat(),
  },
  { requiredKeys: ["digest", "kind", "prev", "seq", "ts"] },
) as fc.Arbitrary<Leaf>;

test("a leaf is canonical JSON: sorted members, nothing escaped, read back as it was", () => {
  fc.assert(
    fc.property(leaf, value => {
      const text = encodeLeaf(value);
      const sorted = Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
      expect(text).toBe(JSON.stringify(sorted));
      expect(decodeLeaf(text)).toEqual(value);
    }),
  );
});

const good: Leaf = { digest: noHash, kind: "shell.exec", prev: noHash, seq: 0, ts: 1 };

test.each([{ kind: 'a"b' }, { kind: "A" }, { kind: "" }, { agent: "a b" }, { agent: '"' }])("refused: %j", change => {
  expect(() => encodeLeaf({ ...good, ...change })).toThrow(TypeError);
});

test.each([
  "",
  "null",
  "[]",
  "{}",
  encodeLeaf(good).replace('"seq":0', '"seq":0.5'),
  ` ${encodeLeaf(good)}`,
  encodeLeaf(good).replace('"ts":1', '"ts":1,"x":1'),
])("not a leaf: %s", text => {
  expect(decodeLeaf(text)).toBeUndefined();
});
