/** Schema errors as sentences a person can act on: unions are descended to the branch that was meant. */
import type { TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";

/** `path` is a JSON pointer into the document. */
export interface Fault {
  path: string;
  message: string;
}

const faultsMax = 50;

export function faultsOf(schema: TSchema, value: unknown): Fault[] {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const error of Value.Errors(schema, value)) {
    for (const fault of descend(error)) {
      const key = `${fault.path} ${fault.message}`;
      if (seen.has(key)) continue;
      // One place, one sentence: a wrong value also breaks every narrower rule about it.
      if (faults.some(other => other.path === fault.path && !fault.message.startsWith("unknown"))) continue;
      seen.add(key);
      faults.push(fault);
      if (faults.length >= faultsMax) return faults;
    }
  }
  return faults;
}

function descend(error: ValueError): Fault[] {
  if (error.type !== ValueErrorType.Union) return [{ path: error.path, message: sentence(error) }];
  const variants = (error.schema["anyOf"] ?? []) as TSchema[];
  const literals = variants.filter(variant => "const" in variant);
  if (literals.length === variants.length) {
    return [{ path: error.path, message: `must be ${listed(literals.map(variant => String(variant["const"])))}` }];
  }
  const index = meant(variants, error.value);
  if (index < 0) return [{ path: error.path, message: `must be ${listed(variants.map(kind))}` }];
  const found = [...(error.errors[index] ?? [])].flatMap(descend);
  return found.length > 0 ? found : [{ path: error.path, message: sentence(error) }];
}

/** The variant the author was writing: same kind of value, and for objects the one whose first member is there. */
function meant(variants: TSchema[], value: unknown): number {
  const same = variants.map((variant, at) => ({ variant, at })).filter(({ variant }) => fits(variant, value));
  if (same.length <= 1) return same[0]?.at ?? -1;
  const keys = Object.keys(value as object);
  const named = same.find(({ variant }) => keys.includes((variant["required"] as string[] | undefined)?.[0] ?? ""));
  return named?.at ?? -1;
}

function fits(variant: TSchema, value: unknown): boolean {
  if (variant["anyOf"]) return typeof value === "string";
  if (Array.isArray(value)) return variant["type"] === "array";
  if (value !== null && typeof value === "object") return variant["type"] === "object";
  return variant["type"] === typeof value;
}

function kind(schema: TSchema): string {
  if (schema["anyOf"]) return "one word";
  const required = (schema["required"] as string[] | undefined)?.[0];
  if (schema["type"] === "object" && required && !schema.description) return `{${required}: …}`;
  return schema.description ?? { string: "text", array: "a list", object: "a mapping" }[String(schema["type"])] ?? "";
}

function listed(words: string[]): string {
  const unique = [...new Set(words.filter(Boolean))];
  return unique.length < 2 ? (unique[0] ?? "something else") : `${unique.slice(0, -1).join(", ")} or ${unique.at(-1)}`;
}

function sentence(error: ValueError): string {
  const { schema } = error;
  const member = error.path.slice(error.path.lastIndexOf("/") + 1);
  switch (error.type) {
    case ValueErrorType.ObjectAdditionalProperties:
      return `unknown member \`${member}\``;
    case ValueErrorType.ObjectRequiredProperty:
      return `\`${member}\` is missing`;
    case ValueErrorType.ObjectMinProperties:
      return "must not be empty";
    case ValueErrorType.StringPattern:
      return `must be ${schema.description ?? `text like ${schema["pattern"]}`}`;
    case ValueErrorType.StringMaxLength:
      return `must have at most ${schema["maxLength"]} characters`;
    case ValueErrorType.StringMinLength:
      return "must not be empty";
    case ValueErrorType.ArrayMinItems:
      return "must not be an empty list";
    case ValueErrorType.ArrayMaxItems:
      return `must have at most ${schema["maxItems"]} entries`;
    case ValueErrorType.Literal:
      return `must be ${String(schema["const"])}`;
    case ValueErrorType.String:
      return `must be text${hint(error.value)}`;
    case ValueErrorType.Boolean:
      return "must be true or false";
    case ValueErrorType.Array:
      return "must be a list";
    case ValueErrorType.Object:
      return `must be ${schema.description ?? "a mapping"}`;
    default:
      return error.message.toLowerCase();
  }
}

/** YAML reads `1.0` and `true` as a number and a boolean: the author meant text. */
function hint(value: unknown): string {
  return typeof value === "number" || typeof value === "boolean" ? ": put it in quotes" : "";
}
