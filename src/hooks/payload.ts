/** Members of payloads nobody has checked yet. A wrong type reads as absent. */
export type Fields = Record<string, unknown>;

export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];

/** Arguments sent as a JSON text (Cursor, Cline) or as an object. Anything else is kept under `value`, so that rules see it. */
export function argumentsOf(value: unknown): Fields {
  const direct = fieldsOf(value);
  if (direct) return direct;
  if (typeof value !== "string") return value === undefined || value === null ? {} : { value };
  try {
    const parsed: unknown = JSON.parse(value);
    return fieldsOf(parsed) ?? { value: parsed };
  } catch {
    return value === "" ? {} : { value };
  }
}

/** Leaves out members that are undefined, as exact optional properties want it. */
export function present<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

const stringMax = 8192;
const membersMax = 64;
const depthMax = 6;

/** A copy small enough for an event: long strings, wide and deep values are cut and say so. */
export function bounded(value: unknown, depth = 0): unknown {
  if (typeof value === "string")
    return value.length > stringMax ? `${value.slice(0, stringMax)}… (${value.length} characters)` : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= depthMax) return "… (nested deeper)";
  const cut = <T>(items: T[]) => items.slice(0, membersMax);
  if (Array.isArray(value)) return cut(value).map(item => bounded(item, depth + 1));
  return Object.fromEntries(cut(Object.entries(value)).map(([key, item]) => [key, bounded(item, depth + 1)]));
}
