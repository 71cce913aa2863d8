/**
 * What the command line gives to code that stands in it: variables of the environment, the words behind it. Code is
 * read with their texts in place of the expressions that name them.
 */
import type { Machine } from "../run/machine.ts";
import type { Field } from "../value.ts";
import type { Token } from "./tokens.ts";

/** Code without one of these is given nothing that counts here. */
const asks = /env|argv|\[::-1\]/i;

/** `os.environ["c"]`, `$ENV{c}`, `ENVIRON["c"]`; `os.getenv("c")`, `ENV.fetch("c")`; `process.env.c`. */
const table = /^(?:os\.environ|environ|ENVIRON|\$?ENV|\$_ENV|\$_SERVER|process\.env)$/;
const reader = /^(?:os\.getenv|getenv|os\.environ\.get|environ\.get|ENV\.fetch|Deno\.env\.get|System\.getenv)$/;
const member = /^(?:process|Bun)\.env\.(\w+)$/;
/** `sys.argv`, `process.argv.slice(1)`, `@ARGV`, `$ARGV[0]`, `ARGV.join(" ")`. */
const words = /^(?:sys\.|process\.)?[$@%]?argv(\.(?:slice|drop))?(\.join)?$/i;

/** Characters that are put in at most: what is given may be long, and named many times. */
const MAX_GIVEN = 16_000;
const MAX_WORDS = 100;

/** The tokens of code, with what is given to it put in. */
export function withGiven(m: Machine, list: Token[], code: string): Token[] {
  if (!asks.test(code)) return list;
  const out: Token[] = [];
  let left = MAX_GIVEN;
  for (let i = 0; i < list.length; ) {
    const t = list[i]!;
    if (left <= 0) return [...out, ...list.slice(i)];
    const found = t.kind === "name" ? (variable(m, list, i) ?? behind(m.given, list, i)) : turned(list, i);
    if (found === undefined) out.push(t);
    else for (const one of found.put) out.push(one);
    for (const one of found?.put ?? []) left -= 4 + one.text.length;
    i = found?.next ?? i + 1;
  }
  return out;
}

interface Found {
  put: Token[];
  next: number;
}

const text = (of: Token, held: string): Token => ({ ...of, kind: "string", text: held });

function variable(m: Machine, list: Token[], i: number): Found | undefined {
  const t = list[i]!;
  const own = member.exec(t.text)?.[1];
  const opens = list[i + 1]?.text;
  const key = list[i + 2];
  const subscript = (opens === "[" || opens === "{") && table.test(t.text);
  const called = opens === "(" && list[i + 3]?.text === ")" && reader.test(t.text);
  const name = own ?? (subscript || called ? key?.text : undefined);
  if (name === undefined || name === "HOME") return undefined;
  const held = m.state.get(name);
  const next = own === undefined ? i + 4 : i + 1;
  if (held?.known) return { put: [text(t, held.text)], next };
  // The name of a variable is no text of the code.
  return subscript ? { put: [{ ...t, text: "environment_variable" }], next } : undefined;
}

/** One of the words behind the code, or all of them. */
function behind(given: readonly Field[], list: Token[], i: number): Found | undefined {
  const t = list[i]!;
  const [, sliced, joined] = words.exec(t.text) ?? [];
  if (given.length === 0 || !words.test(t.text)) return undefined;
  const end = closed(list, i + 1);
  const index = list[i + 1]?.text === "[" && end === i + 4 && list[i + 2]?.kind === "number" ? list[i + 2]!.text : "";
  if (given.length > MAX_WORDS || given.some(f => !f.known)) return { put: [{ ...t, text: "given" }], next: end };
  // perl counts from the first word, others from the program.
  const counts = t.text === "$ARGV" ? 0 : 1;
  if (index !== "") return { put: [text(t, (given[Number(index) - counts] ?? given[0]!).text)], next: end };
  const all = given.map(f => f.text);
  if (joined !== undefined) return { put: [text(t, all.join(list[i + 2]?.text ?? " "))], next: end };
  const comma: Token = { ...t, kind: "mark", text: "," };
  const put = all.flatMap((one, k) => (k === 0 ? [text(t, one)] : [comma, text(t, one)]));
  // `.slice(1).join(" ")`
  const after = sliced === undefined || list[end]?.text !== "." || list[end + 1]?.text !== "join" ? end : -1;
  if (after >= 0) return { put, next: end };
  return { put: [text(t, all.join(list[end + 3]?.text ?? " "))], next: closed(list, end + 2) };
}

/** The place behind the brackets that open at `i`; `i` where none do. */
function closed(list: Token[], i: number): number {
  const opens = list[i]?.text;
  if (list[i]?.kind !== "mark" || (opens !== "[" && opens !== "(")) return i;
  for (let k = i + 1; k < Math.min(list.length, i + 8); k++)
    if (list[k]!.text === (opens === "[" ? "]" : ")")) return k + 1;
  return i;
}

const backwards = ["[", ":", ":", "-", "1", "]"];

/** `"…"[::-1]` */
function turned(list: Token[], i: number): Found | undefined {
  const t = list[i]!;
  if (t.kind !== "string" || !backwards.every((mark, k) => list[i + 1 + k]?.text === mark)) return undefined;
  return { put: [text(t, [...t.text].reverse().join(""))], next: i + 1 + backwards.length };
}
