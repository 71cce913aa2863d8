/** What the calls of a language do, by the last part of their name; a name with two roles has the first of this order. */
import type { Dialect } from "./dialects.ts";

export type Role =
  | "runs"
  | "execs"
  | "evals"
  | "deletes"
  | "removesTrees"
  | "reads"
  | "copies"
  | "writes"
  | "loads"
  | "opens"
  | "fetches"
  | "sockets"
  | "decodes";

const order: readonly Role[] = [
  "runs",
  "execs",
  "evals",
  "removesTrees",
  "deletes",
  "reads",
  "copies",
  "writes",
  "loads",
  "opens",
  "sockets",
  "fetches",
  "decodes",
];

const roles = new Map<Dialect, Map<string, Role>>();

export function rolesOf(d: Dialect): Map<string, Role> {
  let found = roles.get(d);
  if (!found) {
    found = new Map();
    for (const role of order)
      for (const name of (d[role] ?? "").split(" ")) if (name && !found.has(name)) found.set(name, role);
    roles.set(d, found);
  }
  return found;
}
