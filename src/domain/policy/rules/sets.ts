/** Named sets: packs define them, a policy adds to them and never takes away. `$repo`, `$home`, `$tmp` are places. */
import { programSets } from "../engine/programs/table.ts";
import { many } from "./keys.ts";
import type { Pack, Policy } from "./schema.ts";

const places = new Set(["repo", "home", "tmp"]);
const nestingMax = 4;

export const isPlace = (name: string): boolean => places.has(name);

export function mergeSets(
  ...sources: (Readonly<Record<string, readonly string[]>> | undefined)[]
): Map<string, string[]> {
  const merged = new Map<string, string[]>();
  for (const source of sources) {
    for (const [name, globs] of Object.entries(source ?? {})) {
      const before = merged.get(name);
      merged.set(name, before ? [...new Set([...before, ...globs])] : [...globs]);
    }
  }
  return merged;
}

/** What the program table says, what packs add to it, what a policy adds to both. */
export const setsOf = (packs: Pack[], policy: Policy | undefined): Map<string, string[]> =>
  mergeSets(programSets(), ...packs.map(pack => pack.sets), policy?.sets);

/** Name of the set a pattern starts with, unless it is a place: `$repls`, `$orchestrators delete`. */
export function setName(pattern: string): string | undefined {
  const name = /^\$([a-z][a-z_]*)(?=$| )/.exec(pattern)?.[1];
  return name === undefined || isPlace(name) ? undefined : name;
}

/** Patterns with each `$set` replaced by its members. An unknown set has none: the lint names it. */
export function expanded(patterns: string | string[] | undefined, sets: Map<string, string[]>, depth = 0): string[] {
  const list = many(patterns);
  if (!list.some(pattern => pattern.startsWith("$"))) return list;
  return list.flatMap(pattern => {
    const name = setName(pattern);
    if (name === undefined) return [pattern];
    if (depth >= nestingMax) return [];
    const rest = pattern.slice(name.length + 1);
    const members = expanded(sets.get(name) ?? [], sets, depth + 1);
    return rest === "" ? members : members.map(member => member + rest);
  });
}
