/** Lists of PowerShell, and what its operators make of them. A list is one text whose elements are parted by a sign no source holds. */
import { replacedBy } from "../fold/sized.ts";
import { join, type Val, unknown } from "../value.ts";

export const PART = "\u001e";
const elementsMax = 500;

export const listOf = (values: readonly Val[]): Val => join(values, PART);
export const elements = (v: Val): string[] => v.text.split(PART);
/** As words of a command: `a b`. */
export const flat = (v: Val): Val =>
  v.text.includes(PART) ? { ...v, text: v.text.replaceAll(PART, " ").trimEnd() } : v;

/** `1..5`, `-1..-4`. */
export function range(text: string): string | undefined {
  const ends = /^(-?\d{1,6})\.\.(-?\d{1,6})$/.exec(text);
  if (!ends) return undefined;
  const [from, to] = [Number(ends[1]), Number(ends[2])];
  const count = Math.min(Math.abs(to - from) + 1, elementsMax);
  return Array.from({ length: count }, (_, i) => (to < from ? from - i : from + i)).join(PART);
}

/** `'abc'[0]`, `$list[1,0]`, `'erom'[-1..-4]`: of a text its characters, of a list its elements. */
export function indexed(v: Val, at: Val): Val {
  const places = elements(at).map(Number);
  if (!v.known || !at.known || places.some(n => !Number.isInteger(n))) return { ...v, known: false };
  const all = v.text.includes(PART) ? elements(v) : [...v.text];
  return { ...v, text: places.map(n => all.at(n) ?? "").join(PART) };
}

/** A number, or a sum of numbers: `0x41`, `64+5`. */
export function numeric(text: string): number {
  const parts = text.split(/(?=[+-])/).map(part => Number(part.replace(/^\+/, "")));
  return parts.reduce((sum, n) => sum + n, 0);
}

/** `[char]105`, `[char[]](82,105)`. */
export const characters = (v: Val): Val => ({
  ...v,
  text: v.text
    .replaceAll(PART, " ")
    .split(/[\s,]+/)
    .map(n => (/^[\da-fx+-]+$/i.test(n) && numeric(n) >= 0 ? String.fromCharCode(numeric(n)) : n))
    .join(PART),
});

const special = /[.*+?^$|()[\]{}]/;

/** What an operator makes of both its sides; `undefined` where it is none that makes text. */
function made(name: string, left: Val, right: Val): string | undefined {
  if (name === "-join") return elements(left).join(right.text);
  if (name === "-f") return formatted(left.text, elements(right));
  if (/^-[ci]?split$/.test(name)) return left.text.split(right.text).join(PART);
  if (!/^-[ci]?replace$/.test(name)) return undefined;
  const [from = "", to = ""] = elements(right);
  const plain = from.replace(/\\(\W)/g, "$1");
  if (special.test(from.replace(/\\\W/g, ""))) return undefined;
  return left.text.split(name === "-creplace" ? plain : new RegExp(plain.replace(/[^\w\s]/g, "\\$&"), "i")).join(to);
}

export const formatted = (text: string, args: readonly string[]): string =>
  text.replace(/\{(\d+)(?:[,:][^{}]*)?\}/g, (_, n) => args[Number(n)] ?? "");

export function operated(name: string, left: Val, right: Val): Val {
  const taint = { taint: left.taint | right.taint, origin: left.origin ?? right.origin };
  if (!left.known || !right.known) return { ...unknown(), ...taint };
  const text = made(name, left, right);
  return text === undefined ? { ...unknown(0), ...taint } : { text, known: true, ...taint };
}

/** Methods of strings and lists that only make text. */
const methods: Record<string, (text: string, args: readonly string[]) => string> = {
  replace: (text, [from = "", to = ""]) => (from === "" ? text : replacedBy(text, from, to)),
  tolower: text => text.toLowerCase(),
  toupper: text => text.toUpperCase(),
  tolowerinvariant: text => text.toLowerCase(),
  toupperinvariant: text => text.toUpperCase(),
  substring: (text, [from, count]) =>
    text.slice(Number(from), count === undefined ? undefined : Number(from) + Number(count)),
  remove: (text, [from, count]) =>
    text.slice(0, Number(from)) + (count === undefined ? "" : text.slice(Number(from) + Number(count))),
  insert: (text, [at, what = ""]) => text.slice(0, Number(at)) + what + text.slice(Number(at)),
  split: (text, [by = " "]) => text.split(by).join(PART),
  tochararray: text => [...text].join(PART),
  trim: text => text.trim(),
};

/** What a method makes of a known text; `undefined` where it is none of these. */
export function textMethod(on: Val, name: string, args: readonly Val[]): Val | undefined {
  const does = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (!does || !on.known || args.some(arg => !arg.known)) return undefined;
  const taint = args.reduce((all, arg) => all | arg.taint, on.taint);
  return {
    ...on,
    text: does(
      on.text,
      args.map(arg => arg.text),
    ),
    taint,
  };
}
