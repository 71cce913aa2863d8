import { expect, test } from "bun:test";
import type { FromWorker, ToWorker } from "./actor/protocol.ts";
import { fromWire, toWire } from "./wire.ts";

test("a message without bytes goes as text and arrives as it was", () => {
  const ask: ToWorker = {
    kind: "ask",
    id: 7,
    org: "org_a",
    question: "policy.check",
    input: { call: { args: [1, "ä"] } },
  };
  expect(toWire(ask)).toBeString();
  expect(fromWire<ToWorker>(toWire(ask))).toEqual(ask);
  const answer: FromWorker = { kind: "answer", id: 7, answer: { matched: [], span: null } };
  expect(fromWire<FromWorker>(toWire(answer))).toEqual(answer);
});

test("bytes and shared memory go as they are", () => {
  const batch: ToWorker = {
    kind: "ask",
    id: 1,
    org: "o",
    question: "events.ingest",
    input: { bytes: new Uint8Array(3) },
  };
  const chunk: FromWorker = { kind: "chunk", id: 1, bytes: new Uint8Array(2) };
  expect(toWire(batch)).toBe(batch);
  expect(toWire(chunk)).toBe(chunk);
  expect(fromWire<FromWorker>(chunk)).toBe(chunk);
});
