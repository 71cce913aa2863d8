/** Levels of nesting that JSON from outside may have. */
export const JSON_DEPTH_MAX = 128;

/**
 * Is a parsed JSON value nested more than `levels` deep? Ask it of everything from outside before it is stringified or
 * cloned: engines look for cycles on the way, and at 40,000 levels (240 KB) that takes a quarter of a minute.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some(item => isDeeperThan(item, levels - 1));
  for (const key in value) if (isDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}
