/** A JSON Schema as people read types: `{ name: string(1..200), role?: "admin" | "member" }`. */
interface Schema {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  allOf?: Schema[];
  type?: string;
  format?: string;
  pattern?: string;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  description?: string;
}

const INDENT = "  ";
/** Longer ones are laid out over lines. */
const WIDTH_MAX = 90;

export function schemaText(given: unknown, depth = 0): string {
  const schema = (given ?? {}) as Schema;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(" | ");
  const either = schema.anyOf ?? schema.allOf;
  if (either) return [...new Set(either.map(one => schemaText(one, depth)))].join(schema.anyOf ? " | " : " & ");
  if (schema.$ref) return schema.$ref.split("/").at(-1)!;
  if (schema.type === "array") return listText(schema, depth);
  if (schema.type === "object") return objectText(schema, depth);
  return scalarText(schema);
}

function listText({ items, maxItems }: Schema, depth: number): string {
  const item = schemaText(items, depth);
  const of = /[|&]/.test(item) && !item.startsWith("{") ? `(${item})` : item;
  return `${of}[${maxItems === undefined ? "" : `≤${maxItems}`}]`;
}

function objectText({ properties, patternProperties, required = [] }: Schema, depth: number): string {
  const values = Object.values(patternProperties ?? {});
  if (!properties) return values.length > 0 ? `{ [name]: ${schemaText(values[0], depth)} }` : "{ … }";
  const members = Object.entries(properties).map(
    ([name, one]) =>
      `${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${schemaText(one, depth + 1)}`,
  );
  if (members.length === 0) return "{ … }";
  const line = `{ ${members.join(", ")} }`;
  if (line.length <= WIDTH_MAX && !line.includes("\n")) return line;
  const inner = INDENT.repeat(depth + 1);
  return `{\n${members.map(member => `${inner}${member}`).join("\n")}\n${INDENT.repeat(depth)}}`;
}

function scalarText({ type = "any", format, pattern, minLength, maxLength, minimum, maximum }: Schema): string {
  const range = (low: number | undefined, high: number | undefined) =>
    low === undefined && high === undefined ? "" : `(${low ?? ""}..${high ?? ""})`;
  const bounds = range(minLength ?? minimum, maxLength ?? maximum);
  return `${format ?? type}${bounds}${pattern ? ` /${pattern}/` : ""}`;
}
