import { type Fields, fieldsOf } from "./payload.ts";

/** OTLP/JSON (opentelemetry-proto 1.x, JSON mapping): an `AnyValue` as a plain one; depth is bounded. */
export function plain(value: unknown, depth = 0): unknown {
  const any = fieldsOf(value);
  if (!any || depth > 6) return undefined;
  for (const key of ["stringValue", "boolValue", "doubleValue"]) if (any[key] !== undefined) return any[key];
  if (any["intValue"] !== undefined) return Number(any["intValue"]);
  if (any["arrayValue"]) return listOf(fieldsOf(any["arrayValue"])?.["values"]).map(item => plain(item, depth + 1));
  if (any["kvlistValue"]) return attributesOf(fieldsOf(any["kvlistValue"])?.["values"], depth + 1);
  return undefined;
}

export function attributesOf(pairs: unknown, depth = 0): Fields {
  const entries = listOf(pairs)
    .map(pair => [fieldsOf(pair)?.["key"], plain(fieldsOf(pair)?.["value"], depth)] as const)
    .filter((entry): entry is readonly [string, unknown] => typeof entry[0] === "string" && entry[1] !== undefined);
  return Object.fromEntries(entries);
}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Fixed64 nanoseconds as text or number; 0 stands for "unknown". */
export function nanosToMs(value: unknown): number | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const ms = Math.floor(Number(value) / 1e6);
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

/** Some exporters write numbers and booleans as text. */
export function looseNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

export const looseTrue = (value: unknown): boolean => value === true || value === "true";
