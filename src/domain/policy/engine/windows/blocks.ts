/** Script blocks of PowerShell: code held as a value, run later, with parameters. */
import type { Machine } from "../run/machine.ts";
import { type Field, literal, type Val } from "../value.ts";
import { listOf, PART } from "./lists.ts";
import { type Piece, pieces } from "./tokens.ts";

/** Stands before the text of a block, so that code is told from text. */
const CODE = "\u001d";

export const block = (text: string): Val => literal(CODE + text);
export const isBlock = (v: { text: string }): boolean => v.text.startsWith(CODE);
export const codeOf = <T extends { text: string }>(v: T): T => (isBlock(v) ? { ...v, text: v.text.slice(1) } : v);

/** The names in `param($a, [string]$b = 1)`, in their order. */
export function parameters(list: readonly Piece[]): string[] {
  const at = list.findIndex(p => p.kind === "word" && /^param$/i.test(p.text));
  const group = at < 0 ? undefined : list[at + 1];
  if (group?.kind !== "group") return [];
  const named = pieces(group.text).filter((p, i, all) => p.kind === "variable" && all[i - 1]?.text !== "=");
  return named.map(p => p.text.toLowerCase());
}

/** Gives the parameters of a block what it is called with: `-Name value`, `-Name:value` or by position. */
export function bind(m: Machine, code: string, given: readonly Field[], input: Val | undefined): void {
  const names = parameters(pieces(code));
  const free = [...names];
  const rest: Field[] = [];
  for (let i = 0; i < given.length; i++) {
    const flag = /^-([a-z]\w*)(?::(.*))?$/is.exec(given[i]!.text);
    const name = flag && names.find(n => n.startsWith(flag[1]!.toLowerCase()));
    if (!flag || !name) rest.push(given[i]!);
    else {
      free.splice(free.indexOf(name), 1);
      m.state.set(name, flag[2] !== undefined ? { ...given[i]!, text: flag[2] } : (given[++i] ?? literal("True")));
    }
  }
  for (const [i, name] of free.entries()) if (rest[i]) m.state.set(name, rest[i]!);
  if (input && /ValueFromPipeline/i.test(code))
    for (const [i, name] of free.entries()) if (!rest[i]) m.state.set(name, input);
  const args = listOf(rest);
  m.state.set("args", rest.length === 1 ? { ...args, text: args.text + PART } : args);
  for (const name of input ? ["input", "_"] : []) m.state.set(name, input!);
}
