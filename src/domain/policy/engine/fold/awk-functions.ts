/** Functions of `awk`. */
import type { Awk } from "./awk.ts";
import { formatted, number, type Value } from "./awk-values.ts";
import type { Expression } from "./awk-expressions.ts";

/** What a call is given: expressions, bare names and expressions between slashes as written, and places to write to. */
export interface Given {
  given: readonly Expression[];
  names: readonly (string | undefined)[];
  set(index: number, value: Value): void;
}

type Call = (a: Awk, g: Given) => Value;

const text = (a: Awk, { given }: Given, i: number): string | undefined => (given[i] ? a.text(given[i](a)) : undefined);

/** A function of one text, of the whole line without one. */
const ofText =
  (change: (said: string) => Value): Call =>
  (a, g) =>
    change(text(a, g, 0) ?? a.record);

function substr(a: Awk, g: Given): string {
  const said = text(a, g, 0) ?? "";
  const from = Math.round(number(text(a, g, 1) ?? "1"));
  const length = g.given[2] ? Math.round(number(text(a, g, 2)!)) : Number.POSITIVE_INFINITY;
  return said.slice(Math.max(from - 1, 0), Math.max(from - 1 + length, 0));
}

function split(a: Awk, g: Given): number {
  const parts = a.parts(text(a, g, 0) ?? "", g.given[2] ? text(a, g, 2)! : a.string("FS", " "));
  const array = a.array(g.names[1] ?? "");
  array.clear();
  for (const [i, part] of parts.entries()) array.set(String(i + 1), part);
  return parts.length;
}

/** `sub`, `gsub`: a backslash keeps `&` a letter. */
const substituted =
  (all: boolean): Call =>
  (a, g) => {
    const by = text(a, g, 1) ?? "";
    const said = text(a, g, 2) ?? a.record;
    const found = a.find(text(a, g, 0) ?? "", said, !all);
    let out = "";
    let from = 0;
    for (const { start, end } of found) {
      const whole = said.slice(start, end);
      out += said.slice(from, start) + by.replace(/\\&|&/g, m => (m === "&" ? whole : "&"));
      from = end;
    }
    if (found.length === 0) return 0;
    out = a.joined(out, said.slice(from));
    if (g.given[2]) g.set(2, out);
    else a.setField(0, out);
    return found.length;
  };

const match: Call = (a, g) => {
  const found = a.find(text(a, g, 1) ?? "", text(a, g, 0) ?? "", true)[0];
  a.vars.set("RSTART", found ? found.start + 1 : 0);
  a.vars.set("RLENGTH", found ? found.end - found.start : -1);
  return found ? found.start + 1 : 0;
};

const length: Call = (a, g) => {
  const array = g.names[0] === undefined ? undefined : a.arrays.get(g.names[0]);
  return array?.size ?? (text(a, g, 0) ?? a.record).length;
};

export const calls: ReadonlyMap<string, Call> = new Map<string, Call>([
  ["length", length],
  ["substr", substr],
  ["index", (a, g) => (text(a, g, 0) ?? "").indexOf(text(a, g, 1) ?? "") + 1],
  ["split", split],
  ["sub", substituted(false)],
  ["gsub", substituted(true)],
  ["match", match],
  ["tolower", ofText(t => t.toLowerCase())],
  ["toupper", ofText(t => t.toUpperCase())],
  ["int", ofText(t => Math.trunc(number(t)))],
  ["strtonum", ofText(t => Number(t) || number(t))],
  ["sprintf", (a, g) => formatted(g.given.map(one => a.text(one(a))))],
  ["system", (a, g) => a.system(text(a, g, 0) ?? "")],
  ["close", () => 0],
  ["fflush", () => 0],
]);
