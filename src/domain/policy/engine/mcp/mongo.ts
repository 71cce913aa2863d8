/** What a MongoDB tool destroys: `delete-many` with an empty filter, `{dropDatabase: 1}`. */
import type { SqlAct, ToolCall } from "../../facts.ts";
import { openJson } from "./leaves.ts";
import { split } from "./verbs.ts";

export const isMongo = ({ server, tool }: ToolCall): boolean => /mongo/i.test(`${server}/${tool}`);

export function mongoActs({ tool, input }: ToolCall): SqlAct[] {
  const words = split(tool);
  const given = input["command"];
  const command = typeof given === "string" ? openJson(given) : given;
  const names = [...words, ...Object.keys(typeof command === "object" && command !== null ? command : {})];
  const out: SqlAct[] = [];
  if (names.some(name => /^drop/i.test(name))) out.push("drop");
  const filter = input["filter"] ?? input["query"];
  const all = typeof filter === "string" ? /^\s*\{\s*\}\s*$/.test(filter) : isEmpty(filter);
  if (all && words.some(word => /^(delete|remove)$/.test(word))) out.push("delete_all");
  // `$out` puts what an aggregation yields in the place of a collection.
  if (Array.isArray(input["pipeline"]) && input["pipeline"].some(stage => "$out" in Object(stage)))
    out.push("delete_all");
  return out;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
