import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Ajv, type AnySchemaObject } from "ajv";
import addFormats from "ajv-formats";

const folder = resolve(import.meta.dirname, "fixtures/schemas");

/** The faults of a document by a published schema (test/fixtures/schemas): `path: what is wrong`. */
export function heldAgainst(file: string): (document: unknown) => string[] {
  const { id: _, $schema, ...schema } = JSON.parse(readFileSync(resolve(folder, file), "utf8")) as AnySchemaObject;
  // Draft-04 calls the address `id` and reads patterns without the u flag; nothing else these schemas use differs.
  const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: !String($schema).includes("draft-04") });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  return document =>
    validate(document) ? [] : validate.errors!.map(error => `${error.instancePath}: ${error.message}`);
}
