import { canonicalJson } from "../canonical-json.ts";
import type { Severity } from "../policy/verdict.ts";

/** `widened`: takes what it did not take before. `narrowed`: takes less. `changed`: cannot be told. */
export interface SchemaChange {
  direction: "widened" | "narrowed" | "changed";
  severity: Severity;
  detail: string;
}

type Schema = Readonly<Record<string, unknown>>;

const texts = new Set(["description", "title", "examples", "example", "$comment", "$schema", "$id", "deprecated"]);
const depthLimit = 12;

/** Parameters whose arrival gives a tool new power over the machine or the data. */
const powerful = new Set(
  "command cmd shell script exec eval code sql path file dir url uri host endpoint webhook token secret password env".split(
    " ",
  ),
);
const isPowerful = (name: string): boolean =>
  name.split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/).some(word => powerful.has(word.toLowerCase()));

/**
 * Differences between two JSON Schemas of a tool's arguments, as far as they change what is accepted. The order of
 * members, of `required` and of `enum`, and all texts are of no account.
 */
export function schemaChanges(before: unknown, after: unknown): SchemaChange[] {
  const changes: SchemaChange[] = [];
  compare(asSchema(before), asSchema(after), "", 0, changes);
  return changes;
}

/** The texts inside a schema, one string: models read them as they read the description. */
export function schemaTexts(schema: unknown, depth = 0): string {
  if (typeof schema !== "object" || schema === null || depth > depthLimit) return "";
  return Object.entries(schema)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => (texts.has(key) && typeof value === "string" ? value : schemaTexts(value, depth + 1)))
    .filter(text => text !== "")
    .join("\n");
}

/** `true` and absence accept everything, `false` nothing. */
function asSchema(value: unknown): Schema {
  if (value === false) return { not: {} };
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

function compare(before: Schema, after: Schema, at: string, depth: number, out: SchemaChange[]): void {
  if (same(before, after)) return;
  if (depth > depthLimit) {
    out.push({ direction: "changed", severity: "medium", detail: `${at || "the schema"} changed deep inside` });
    return;
  }
  compareProperties(before, after, at, depth, out);
  compareSets(before, after, at, out);
  compareBounds(before, after, at, out);
  if ("items" in before && "items" in after) {
    compare(asSchema(before["items"]), asSchema(after["items"]), `${at}[]`, depth + 1, out);
  }
  compareRest(before, after, at, out);
}

function compareProperties(before: Schema, after: Schema, at: string, depth: number, out: SchemaChange[]): void {
  const [old, now] = [asSchema(before["properties"]), asSchema(after["properties"])];
  for (const name of Object.keys(now)) {
    const place = at === "" ? name : `${at}.${name}`;
    if (Object.hasOwn(old, name)) compare(asSchema(old[name]), asSchema(now[name]), place, depth + 1, out);
    else {
      const severity = isPowerful(name) ? "high" : "medium";
      out.push({ direction: "widened", severity, detail: `takes a new parameter ${place}` });
    }
  }
  for (const name of Object.keys(old)) {
    if (!Object.hasOwn(now, name)) out.push(narrowed(`no longer takes ${at === "" ? name : `${at}.${name}`}`));
  }
}

const narrowed = (detail: string): SchemaChange => ({ direction: "narrowed", severity: "low", detail });
const widened = (detail: string): SchemaChange => ({ direction: "widened", severity: "medium", detail });

/** `type` and `enum` list what is allowed, `required` what must be there: more of it narrows. */
function compareSets(before: Schema, after: Schema, at: string, out: SchemaChange[]): void {
  const where = at || "the arguments";
  for (const key of ["type", "enum"]) {
    const [old, now] = [asSet(before, key), asSet(after, key)];
    if (old && now) {
      const [more, less] = [now.difference(old).size > 0, old.difference(now).size > 0];
      if (more) out.push(widened(`${where} allows more values of ${key}`));
      else if (less) out.push(narrowed(`${where} allows fewer values of ${key}`));
    } else if (old) out.push(widened(`${where} is no longer limited by ${key}`));
    else if (now) out.push(narrowed(`${where} is limited by ${key}`));
  }
  const [old, now] = [asSet(before, "required") ?? new Set(), asSet(after, "required") ?? new Set()];
  if (old.difference(now).size > 0) out.push(widened(`${where} requires less`));
  if (now.difference(old).size > 0) out.push(narrowed(`${where} requires more`));
}

function asSet(schema: Schema, key: string): Set<string> | undefined {
  const value = schema[key];
  if (value === undefined) return undefined;
  return new Set((Array.isArray(value) ? value : [value]).map(canonicalJson));
}

const upper = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const lower = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];

function compareBounds(before: Schema, after: Schema, at: string, out: SchemaChange[]): void {
  const where = at || "the arguments";
  for (const key of [...upper, ...lower]) {
    const open = upper.includes(key) ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    const [old, now] = [asNumber(before[key], open), asNumber(after[key], open)];
    if (old === now) continue;
    const wider = upper.includes(key) ? now > old : now < old;
    out.push(wider ? widened(`${where} has a wider ${key}`) : narrowed(`${where} has a tighter ${key}`));
  }
}

const asNumber = (value: unknown, open: number): number => (typeof value === "number" ? value : open);

const handled = new Set(["properties", "type", "enum", "required", "items", ...upper, ...lower, ...texts]);
/** Keywords that only restrict: gone means wider, new means narrower. */
const restricting = new Set(["pattern", "format", "const", "not", "additionalProperties", "uniqueItems", "multipleOf"]);

function compareRest(before: Schema, after: Schema, at: string, out: SchemaChange[]): void {
  const where = at || "the arguments";
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (handled.has(key) && !(key === "items" && "items" in before !== "items" in after)) continue;
    const [old, now] = [open(before, key), open(after, key)];
    if (same(old, now)) continue;
    const restricts = restricting.has(key) || key === "items";
    if (restricts && now === undefined) out.push(widened(`${where} is no longer limited by ${key}`));
    else if (restricts && old === undefined) out.push(narrowed(`${where} is limited by ${key}`));
    else {
      const severity = key === "default" ? "low" : "medium";
      out.push({ direction: "changed", severity, detail: `${where} has another ${key}` });
    }
  }
}

/** `additionalProperties: true` and `uniqueItems: false` say nothing. */
function open(schema: Schema, key: string): unknown {
  const value = Object.hasOwn(schema, key) ? schema[key] : undefined;
  if (key === "additionalProperties") return value === true ? undefined : value;
  return key === "uniqueItems" && value === false ? undefined : value;
}

const same = (a: unknown, b: unknown): boolean => canonicalJson(normal(a) ?? null) === canonicalJson(normal(b) ?? null);

/** Without texts, and with sets in one order. */
function normal(value: unknown, key = "", depth = 0): unknown {
  if (depth > 64) return null;
  if (Array.isArray(value)) {
    const items = value.map(item => normal(item, "", depth + 1) ?? null);
    return key === "required" || key === "enum" || key === "type" ? items.map(canonicalJson).sort() : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name, v]) => !(texts.has(name) && typeof v !== "object"));
  return Object.fromEntries(entries.map(([name, v]) => [name, normal(v, name, depth + 1)]));
}
