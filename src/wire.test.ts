import { expect, test } from "bun:test";
import type { FromWorker, ToWorker } from "./actor/protocol.ts";
import { fromWire, Wire } from "./wire.ts";

/** What was sent, and the end of the turn. */
function wireOf<M extends ToWorker | FromWorker>() {
  const sent: (M | string)[] = [];
  const due: (() => void)[] = [];
  const wire = new Wire<M>(
    data => void sent.push(data),
    work => void due.push(work),
  );
  return { wire, sent, endTurn: () => due.splice(0)[0]?.() };
}

test("messages of one turn go as one text and arrive as they were, in order", () => {
  const { wire, sent, endTurn } = wireOf<ToWorker>();
  const input = { call: { args: [1, "ä"] } };
  const asks = [7, 8].map((id): ToWorker => ({ kind: "ask", id, org: "org_a", question: "policy.check", input }));
  for (const ask of asks) wire.post(ask);
  expect(sent).toEqual([]);
  endTurn();
  expect(sent).toEqual([expect.any(String)]);
  expect(fromWire(sent[0]!)).toEqual(asks);
  wire.post({ kind: "ping" });
  endTurn();
  expect(sent.map(data => fromWire(data).length)).toEqual([2, 1]);
});

test("few bytes go with the others, each its own", () => {
  const { wire, sent, endTurn } = wireOf<ToWorker>();
  const batch = (id: number, bytes: Uint8Array): ToWorker => ({
    kind: "ask",
    id,
    org: "org_a",
    question: "events.ingest",
    input: { agent: "agt_ä", bytes },
  });
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const asks = [batch(1, all), batch(2, new Uint8Array()), batch(3, all.subarray(9, 11)), batch(4, all.slice(65, 70))];
  for (const ask of asks) wire.post(ask);
  endTurn();
  expect(sent).toEqual([expect.any(String)]);
  const arrived = fromWire(sent[0]!) as { input: { agent: string; bytes: Uint8Array<ArrayBuffer> } }[];
  expect(arrived.map(({ input }) => new Uint8Array(input.bytes))).toEqual(
    asks.map(ask => (ask as { input: { bytes: Uint8Array<ArrayBuffer> } }).input.bytes),
  );
  expect(arrived[0]!.input.agent).toBe("agt_ä");
});

test("many bytes and shared memory go as they are, behind what was posted before them", () => {
  const { wire, sent, endTurn } = wireOf<FromWorker>();
  const chunk: FromWorker = { kind: "chunk", id: 1, bytes: new Uint8Array(2) };
  wire.post({ kind: "ready" });
  wire.post(chunk);
  wire.post({ kind: "answer", id: 1, answer: { matched: [], span: null } });
  endTurn();
  expect(sent[1]).toBe(chunk);
  expect(sent.flatMap(fromWire).map(({ kind }) => kind)).toEqual(["ready", "chunk", "answer"]);
  const batch: ToWorker = {
    kind: "ask",
    id: 1,
    org: "o",
    question: "events.ingest",
    input: { bytes: new Uint8Array(100_000) },
  };
  const asked = wireOf<ToWorker>();
  asked.wire.post(batch);
  expect(asked.sent[0]).toBe(batch);
});
