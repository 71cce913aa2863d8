import type { ValueError, ValueErrorIterator } from "@sinclair/typebox/errors";

/**
 * The first error worth telling: inside a union, the error of the alternative that came furthest, instead of
 * "expected union value".
 */
export function firstError(errors: ValueErrorIterator): Pick<ValueError, "path" | "message"> {
  const error = errors.First();
  if (!error) return { path: "", message: "is not valid" };
  const inner = error.errors.map(alternative => firstError(alternative));
  const furthest = inner.sort((a, b) => b.path.length - a.path.length)[0];
  return furthest ?? { path: error.path, message: error.message };
}
