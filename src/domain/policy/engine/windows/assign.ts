/** Assignments of PowerShell: to a variable, to several at once, to members of tables, to the environment. */
import type { Machine } from "../run/machine.ts";
import { concat, field, unknown, type Val, word } from "../value.ts";
import { elements, listOf } from "./lists.ts";
import { isObject } from "./objects.ts";
import { withMember } from "./tables.ts";
import { type Piece, pieces } from "./tokens.ts";

type Evaluate = (list: readonly Piece[]) => Val;

/** Carries an assignment out; false where the statement is none. */
export function assigns(m: Machine, statement: readonly Piece[], evaluate: Evaluate): boolean {
  const list = apart(statement);
  const at = list.findIndex(p => p.kind === "mark" && p.text === "=");
  const targets = list.slice(0, Math.max(at, 0)).filter(p => p.text !== ",");
  if (targets[0]?.kind !== "variable") return false;
  const several = targets.every(p => p.kind === "variable");
  if (!several && at > 2) return false;
  const value = evaluate(list.slice(at + 1));
  if (several && targets.length > 1) each(m, targets, value);
  else one(m, targets, value, evaluate);
  return true;
}

/** `.name='x'` and `??='x'` behind a variable: the member, the sign and the value, each a piece of its own. */
function apart(list: readonly Piece[]): readonly Piece[] {
  const [first, second, ...rest] = list;
  const [, before, tail = ""] = /^(\.[\w.]+|\?\?)=(.*)$/s.exec(second?.kind === "word" ? second.text : "") ?? [];
  if (before === undefined) return list;
  const sign: Piece = { ...second!, kind: "mark", text: "=" };
  const value = tail === "" ? rest : [{ ...second!, text: tail }, ...rest];
  return before === "??" ? [first!, sign, ...value] : [first!, { ...second!, text: before }, sign, ...value];
}

/** `$a, $b = 'x', 'y'`: what is left over belongs to the last. */
function each(m: Machine, targets: readonly Piece[], value: Val): void {
  const parts = elements(value).map(text => ({ ...value, text }));
  for (const [i, target] of targets.entries()) {
    const own = i === targets.length - 1 ? parts.slice(i) : parts.slice(i, i + 1);
    m.state.set(target.text.toLowerCase(), own.length > 0 ? listOf(own) : unknown());
  }
}

function one(m: Machine, [first, second]: readonly Piece[], value: Val, evaluate: Evaluate): void {
  const name = first!.text.toLowerCase();
  if (second?.kind === "index") keep(m, name, evaluate(pieces(second.text)).text, value);
  else if (second?.text.startsWith(".")) keep(m, name, second.text.slice(1), value);
  else if (second?.text === "+") m.state.append(name, value, concat);
  else m.state.set(name, value);
  if (name.startsWith("env:")) environment(m, first!, value);
}

/** A variable's table with one more member; false of objects that stand for something and stay what they are. */
export function keep(m: Machine, variable: string, member: string, value: Val): boolean {
  const held = m.state.vars?.get(variable)?.val ?? unknown();
  if (isObject(held)) return false;
  m.state.set(variable, withMember(held, member, value));
  return true;
}

/** `$env:NAME = value`. */
function environment(m: Machine, name: Piece, value: Val): void {
  const span = m.span(name.at, name.at + name.text.length);
  const of = m.bare("set", span);
  m.facts.push({ kind: "env", of, name: name.text.slice(4).toUpperCase(), value: word(field(value, span)), span });
}
