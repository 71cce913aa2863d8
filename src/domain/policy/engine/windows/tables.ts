/** Tables of PowerShell, `@{name = value}`: kept as their source, whose values are read when a member is asked for. */
import { limits } from "../limits.ts";
import type { Machine } from "../run/machine.ts";
import { unknown, type Val } from "../value.ts";
import { listOf } from "./lists.ts";
import { type Piece, pieces } from "./tokens.ts";

type Evaluate = (list: readonly Piece[]) => Val;

const begins = /^\s*(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)\s*=/;
export const isTable = (v: { text: string }): boolean => begins.test(v.text);

interface Entry {
  key: string;
  value: readonly Piece[];
}

/** What is asked of one table is asked several times in a row. */
let latest: { text: string; members: ReadonlyMap<string, Entry> } = { text: "", members: new Map() };

/** The members of a table by their names in lower case; what was set last counts. */
export function membersOf(m: Machine, text: string): ReadonlyMap<string, Entry> {
  if (text === latest.text) return latest.members;
  m.work(text.length * 4);
  const members = new Map<string, Entry>();
  let entry: Piece[] = [];
  for (const p of [...pieces(text), undefined]) {
    if (p !== undefined && p.kind !== "end") entry.push(p);
    else {
      const made = entry.length > 0 ? parted(entry) : undefined;
      if (made) members.set(made.key.toLowerCase(), made);
      entry = [];
    }
  }
  latest = { text, members };
  return members;
}

/** `name = value`, `name=value`, `'name'=value`. */
function parted([head, ...rest]: Piece[]): Entry {
  const at = head!.kind === "word" ? head!.text.indexOf("=") : -1;
  const [key, tail] = at < 0 ? [head!.text, ""] : [head!.text.slice(0, at), head!.text.slice(at + 1)];
  const behind = rest[0]?.text === "=" ? rest.slice(1) : rest;
  if (tail === "@" && behind[0]?.joined) return { key, value: [{ ...behind[0], kind: "table" }, ...behind.slice(1)] };
  return { key, value: tail === "" ? behind : [{ ...head!, text: tail }, ...behind] };
}

/** The value under a name, whatever its case; of `Values` and `Keys` all of them. */
export function memberOf(m: Machine, table: Val, name: string, evaluate: Evaluate): Val | undefined {
  const members = membersOf(m, table.text);
  const lower = name.toLowerCase();
  const found = members.get(lower);
  if (found !== undefined) return evaluate(found.value);
  if (lower === "keys") return listOf([...members.values()].map(({ key }) => ({ ...table, text: key })));
  if (lower !== "values" && lower !== "getenumerator") return undefined;
  return listOf([...members.values()].map(({ value }) => evaluate(value)));
}

/** `$t.name = value`, `$t.Add('name', value)`: the table, or what nobody knows, with one more member. */
export function withMember(held: Val, name: string, value: Val): Val {
  const told = value.known ? `'${value.text.replaceAll("'", "''")}'` : "$(unknown)";
  const text = `${isTable(held) ? `${held.text};` : ""}'${name}'=${told}`;
  const taint = held.taint | value.taint;
  const origin = held.origin ?? value.origin;
  return text.length > limits.text ? unknown(taint, origin) : { ...held, text, taint, origin };
}
