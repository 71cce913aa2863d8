import { expect, test } from "bun:test";
import fc from "fast-check";
import { hostileShapes } from "../../../../test/corpus/hostile-shapes.ts";
import { evaluated } from "./findings.ts";
import { limits } from "./limits.ts";
import type { Machine } from "./run/machine.ts";

const run = (command: string): Machine => evaluated({ type: "shell", command });

/** What one evaluation made, counted: not how long it took. */
function bounded(m: Machine): void {
  expect(m.subjects.length).toBeLessThanOrEqual(limits.steps);
  expect(m.facts.length).toBeLessThanOrEqual(2 * limits.steps);
  expect(m.gaps.length).toBeLessThanOrEqual(limits.steps);
  if (m.steps > limits.steps) expect(m.gaps.map(gap => gap.why)).toContain("too_many_steps");
}

for (const [name, text] of hostileShapes(limits.chars)) {
  test(`bounded at ${limits.chars} characters: ${name}`, () => bounded(run(text)));
}

test("a thousand commands in a row are followed to their end, tens of thousands are not", () => {
  expect(run("rm a;".repeat(500)).gaps).toEqual([]);
  expect(run("a;".repeat(16_000)).gaps.map(gap => gap.why)).toEqual(["too_many_steps"]);
  expect(run("a=b ".repeat(8_000)).gaps.map(gap => gap.why)).toEqual(["too_many_steps"]);
});

test("work doubles at most where text doubles", () => {
  for (const [name, text] of hostileShapes(1_000)) {
    const [one, two] = [run(text), run(`${text}\n${text}`)];
    // Cut off in the middle of a word, the first half would mean something else before the second.
    if (one.gaps.length > 0 || two.steps > limits.steps) continue;
    // A quarter more: files and variables of the first half are there in the second.
    expect([name, two.steps <= 2.25 * one.steps + 100]).toEqual([name, true]);
  }
});

test("any mixture of hostile pieces is bounded", () => {
  const pieces = hostileShapes(200).map(([, text]) => text);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 12 }), fc.string(), (parts, glue) =>
      bounded(run(parts.join(glue))),
    ),
    { numRuns: 60 },
  );
});
