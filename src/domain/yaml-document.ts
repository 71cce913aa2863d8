import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { parse } from "yaml";
import { firstError } from "./schema-error.ts";

/** A shipped or uploaded document that is not what it should be; the message names the place. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
}

/** Parses a YAML 1.2 document and holds it against a schema. `name` is for the message only. */
export function parseDocument<T extends TSchema>(schema: T, text: string, name: string): Static<T> {
  const value: unknown = parse(text, { uniqueKeys: true, maxAliasCount: 0 });
  if (Value.Check(schema, value)) return value;
  const { path, message } = firstError(Value.Errors(schema, value));
  throw new DocumentError(`${name}: ${path || "/"}: ${message}`);
}
