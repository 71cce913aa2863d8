import { expect, test } from "bun:test";
import fc from "fast-check";
import { besides, keywords } from "../../domain/audit/redact.ts";
import { flagsOf } from "./columns.ts";
import { Pending } from "./pending.ts";
import { suspectsByBytes, suspectsByText } from "./redaction.ts";

const piece = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(...keywords),
  fc.constantFrom("g", "h", "p", "_", "@", "/"),
);
const body = fc.array(piece, { maxLength: 4 }).map(pieces => JSON.stringify({ text: pieces.join("") }));

test("bytes and texts are suspected of the same secrets", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(body, fc.boolean()), { maxLength: 12 }), entries => {
      const pending = new Pending();
      for (const [text, isState] of entries)
        pending.add(1, 1, 0, flagsOf(undefined, isState ? "state" : "telemetry", false), text);
      pending.lay();
      const wanted = entries.flatMap(([text, isState], i) =>
        !isState && keywords.some(keyword => besides[keyword]?.test(text) ?? text.includes(keyword)) ? [i] : [],
      );
      expect([...suspectsByText(pending)]).toEqual(wanted);
      expect([...suspectsByBytes(pending)].sort((a, b) => a - b)).toEqual(wanted);
    }),
  );
});
