import { expect, test } from "bun:test";
import fc from "fast-check";
import { emptyColumns } from "./columns.ts";
import { marksOf, mayHold } from "./marks.ts";

const id = fc.integer({ min: 1, max: 5_000 });

test("what is in a bundle is never skipped, and most of what is not in it is", () => {
  let [skipped, asked] = [0, 0];
  fc.assert(
    fc.property(fc.array(fc.tuple(id, id, id), { minLength: 64, maxLength: 300 }), id, (rows, other) => {
      const columns = emptyColumns(rows.length);
      rows.forEach(([kind, agent, facet], i) => {
        columns.kind[i] = kind;
        columns.agent[i] = agent;
        columns.facet[i] = facet;
        columns.flags[i] = 1;
      });
      const marks = marksOf(columns);
      for (const [kind, agent, facet] of rows)
        expect(mayHold(marks, { kind, agent, decision: 1, facets: new Set([other, facet]) })).toBe(true);
      asked++;
      if (!mayHold(marks, { kind: other, agent: other, decision: 0, facets: new Set([other]) })) skipped++;
    }),
  );
  expect(skipped / asked).toBeGreaterThan(0.8);
});

test("small bundles have no marks and are always looked into", () => {
  const marks = marksOf(emptyColumns(63));
  expect(marks.length).toBe(0);
  expect(mayHold(marks, { kind: 7, agent: 7, decision: 4, facets: new Set([7]) })).toBe(true);
});
