/** Tables of PowerShell, `@{name = value}`: kept as their source, whose values are read when a member is asked for. */
import type { Val } from "../value.ts";
import { listOf } from "./lists.ts";
import { type Piece, pieces } from "./tokens.ts";

const begins = /^\s*(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)\s*=/;
export const isTable = (v: { text: string }): boolean => begins.test(v.text);

interface Entry {
  key: string;
  value: readonly Piece[];
}

/** The entries of a table, in their order. */
export function entries(text: string): Entry[] {
  const out: Entry[] = [];
  let entry: Piece[] = [];
  for (const p of [...pieces(text), undefined]) {
    if (p !== undefined && p.kind !== "end") entry.push(p);
    else {
      if (entry.length > 0) out.push(parted(entry));
      entry = [];
    }
  }
  return out;
}

/** `name = value`, `name=value`, `'name'=value`. */
function parted([head, ...rest]: Piece[]): Entry {
  const at = head!.kind === "word" ? head!.text.indexOf("=") : -1;
  const [key, tail] = at < 0 ? [head!.text, ""] : [head!.text.slice(0, at), head!.text.slice(at + 1)];
  const behind = rest[0]?.text === "=" ? rest.slice(1) : rest;
  if (tail === "@" && behind[0]?.joined) return { key, value: [{ ...behind[0], kind: "table" }, ...behind.slice(1)] };
  return { key, value: tail === "" ? behind : [{ ...head!, text: tail }, ...behind] };
}

/** The value under a name, whatever its case; of `Values` and `Keys` all of them. What was set last counts. */
export function memberOf(table: Val, name: string, evaluate: (list: readonly Piece[]) => Val): Val | undefined {
  const all = entries(table.text);
  const lower = name.toLowerCase();
  const found = all.findLast(entry => entry.key.toLowerCase() === lower);
  if (found !== undefined) return evaluate(found.value);
  if (lower === "keys") return listOf(all.map(entry => ({ ...table, text: entry.key })));
  return /^(values|getenumerator)$/.test(lower) ? listOf(all.map(entry => evaluate(entry.value))) : undefined;
}

/** `$t.name = value`, `$t.Add('name', value)`: the table, or what nobody knows, with one more member. */
export function withMember(held: Val, name: string, value: Val): Val {
  const told = value.known ? `'${value.text.replaceAll("'", "''")}'` : "$(unknown)";
  const text = `${isTable(held) ? `${held.text};` : ""}'${name}'=${told}`;
  return { ...held, text, taint: held.taint | value.taint, origin: held.origin ?? value.origin };
}
