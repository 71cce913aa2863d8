import { Type as T } from "@sinclair/typebox";
import { expect, test } from "bun:test";
import { schemaText } from "./schema-text.ts";

test("a schema reads like a type, with its bounds", () => {
  const schema = T.Object({
    name: T.String({ minLength: 1, maxLength: 200 }),
    role: T.Optional(T.Union([T.Literal("admin"), T.Literal("member")])),
    tags: T.Array(T.Union([T.String(), T.Null()]), { maxItems: 5 }),
  });
  expect(schemaText(schema)).toBe('{ name: string(1..200), role?: "admin" | "member", tags: (string | null)[≤5] }');
  expect(schemaText(T.Record(T.String(), T.Integer({ minimum: 0 })))).toBe("{ [name]: integer(0..) }");
  expect(schemaText({ $ref: "#/components/schemas/Error" })).toBe("Error");
  expect(schemaText(T.String({ pattern: "^a$" }))).toBe("string /^a$/");
  expect(schemaText(undefined)).toBe("any");
});

test("a long one is laid out over lines, those inside it further in", () => {
  const long = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`member_${i}`, T.String()]));
  const text = schemaText(T.Object({ outer: T.Object(long) }));
  expect(text.split("\n").slice(0, 3)).toEqual(["{", "  outer: {", "    member_0: string"]);
  expect(text.split("\n").at(-1)).toBe("}");
});
