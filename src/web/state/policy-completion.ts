import type { TSchema } from "@sinclair/typebox";
import { Policy } from "../../domain/policy/rules/schema.ts";

/** What may stand at a place of a policy, read from its schema: keys of the mapping, or values of the key. */
export interface Completions {
  /** Offset where the word begins. */
  from: number;
  options: { label: string; kind: "key" | "value"; detail: string }[];
}

/** A step into a document: a key, or null for an item of a list. */
type Step = string | null;
interface Open {
  indent: number;
  step: Step;
}

/** `packs` are the names that may be switched on and off. Undefined where nothing is known to fit. */
export function completionsAt(text: string, offset: number, packs: readonly string[] = []): Completions | undefined {
  const before = text.slice(0, offset).split("\n");
  const line = before.pop()!;
  if (/^\s*#|\s#/.test(line)) return undefined;
  const open: Open[] = [];
  for (const one of before) enter(open, one);
  const { path, rest } = enter(open, line, true);
  const word = /[\w.*-]*$/.exec(rest)![0];
  const from = offset - word.length;
  const inside = schemasAt(path);
  const key = /^([\w-]+):\s/.exec(rest)?.[1];
  if (key === undefined) return answer(from, [...keysOf(inside), ...valuesOf(inside, packs)]);
  const given = inside.flatMap(schema => stepInto(schema, key));
  const listed = rest.includes("[") ? given.flatMap(schema => stepInto(schema, null)) : given;
  return answer(from, valuesOf(listed, packs));
}

const answer = (from: number, options: Completions["options"]): Completions | undefined =>
  options.length === 0 ? undefined : { from, options };

/** Takes one line into the stack of what is open; of the last line only what stands before its key. */
function enter(open: Open[], line: string, last = false): { path: Step[]; rest: string } {
  let rest = line.trimStart();
  let indent = line.length - rest.length;
  if (!last && (rest === "" || rest.startsWith("#"))) return { path: [], rest };
  const item = /^-(\s+|$)/;
  while (open.length > 0 && closes(open.at(-1)!, indent, item.test(rest))) open.pop();
  for (let mark = item.exec(rest); mark; mark = item.exec(rest)) {
    open.push({ indent, step: null });
    indent += mark[0].length;
    rest = rest.slice(mark[0].length);
  }
  const path = open.map(({ step }) => step);
  const key = /^["']?([\w-]+)["']?:(\s|$)/.exec(rest);
  if (key && !last) open.push({ indent, step: key[1]! });
  return { path, rest };
}

/** A list may stand as deep as the key it belongs to. */
const closes = (top: Open, indent: number, item: boolean) =>
  top.indent > indent || (top.indent === indent && !(item && top.step !== null));

const schemasAt = (path: readonly Step[]): TSchema[] =>
  path.reduce<TSchema[]>((schemas, step) => schemas.flatMap(schema => stepInto(schema, step)), [Policy]);

const alternatives = (schema: TSchema): TSchema[] =>
  Array.isArray(schema["anyOf"]) ? (schema["anyOf"] as TSchema[]).flatMap(alternatives) : [schema];

function stepInto(schema: TSchema, step: Step): TSchema[] {
  return alternatives(schema).flatMap(one => {
    if (step === null) return one["type"] === "array" ? [one["items"] as TSchema] : [];
    const named = (one["properties"] as Record<string, TSchema> | undefined)?.[step];
    return named ? [named] : Object.values((one["patternProperties"] as Record<string, TSchema> | undefined) ?? {});
  });
}

function keysOf(schemas: TSchema[]): Completions["options"] {
  const keys = new Map<string, Completions["options"][number]>();
  for (const schema of schemas.flatMap(alternatives))
    for (const [label, inner] of Object.entries((schema["properties"] as Record<string, TSchema> | undefined) ?? {}))
      keys.set(label, { label, kind: "key", detail: detailOf(inner) });
  return [...keys.values()];
}

function valuesOf(schemas: TSchema[], packs: readonly string[]): Completions["options"] {
  const values = schemas.flatMap(alternatives).flatMap(schema => {
    if (schema["const"] !== undefined) return [String(schema["const"])];
    if (schema["type"] === "boolean") return ["true", "false"];
    return schema["description"] === "a pack name" ? packs : [];
  });
  return [...new Set(values)].map(label => ({ label, kind: "value", detail: "" }));
}

function detailOf(schema: TSchema): string {
  const shapes = alternatives(schema).map(one => {
    if (one["const"] !== undefined) return String(one["const"]);
    if (one["type"] === "array") return "list";
    if (one["type"] === "object") return "mapping";
    return String(one["description"] ?? one["type"] ?? "");
  });
  return [...new Set(shapes)].join(" | ");
}
