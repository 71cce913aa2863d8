import { expect, test } from "bun:test";
import fc from "fast-check";
import { encodeLeaf } from "../../domain/audit/leaf.ts";
import { leafHash } from "../../domain/audit/merkle.ts";
import { decisions } from "../../domain/policy/verdict.ts";
import { sha256 } from "../crypto.ts";
import { emptyColumns, flagsOf } from "./columns.ts";
import { LeafWriter } from "./leaf-writer.ts";
import type { Names } from "./names.ts";

const kinds = ["shell.exec", "file.write"];
const agents = ["agt_1", "a"];
const named = (names: string[]) => ({ name: (id: number) => names[id - 1] }) as unknown as Names;

const row = fc.record({
  kind: fc.integer({ min: 1, max: 2 }),
  agent: fc.integer({ min: 0, max: 2 }),
  decision: fc.option(fc.constantFrom(...decisions), { nil: undefined }),
  seq: fc.oneof(fc.nat(120), fc.nat(Number.MAX_SAFE_INTEGER)),
  ts: fc.oneof(fc.nat(120), fc.nat(Number.MAX_SAFE_INTEGER)),
  digest: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  prev: fc.uint8Array({ minLength: 32, maxLength: 32 }),
});

test("one writer writes leaf after leaf as the domain encodes each, whatever came before", () => {
  const writer = new LeafWriter(named(kinds), named(agents));
  const check = fc.property(row, ({ kind, agent, decision, seq, ts, digest, prev }) => {
    const columns = emptyColumns(1);
    columns.kind[0] = kind;
    columns.agent[0] = agent;
    columns.flags[0] = flagsOf(decision, "telemetry", false);
    columns.ts[0] = ts;
    const hash = prev.slice();
    writer.hashDigest(columns, 0, seq, digest, hash, hash);
    const text = encodeLeaf({
      digest: digest.toHex(),
      prev: prev.toHex(),
      seq,
      ts,
      kind: kinds[kind - 1]!,
      ...(agent === 0 ? {} : { agent: agents[agent - 1]! }),
      ...(decision === undefined ? {} : { decision }),
    });
    expect(Buffer.from(writer.leaf).toString()).toBe(text);
    expect(hash.toHex()).toBe(leafHash(sha256, Buffer.from(text)).toHex());
  });
  fc.assert(check, { numRuns: 300 });
});
