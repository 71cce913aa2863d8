/** What calls of a scripting language make of texts: joined, filled in, replaced. */
import { rot13 } from "../fold/encodings.ts";
import { joinedBy, replacedBy, sized } from "../fold/sized.ts";
import { DECODED } from "../taint.ts";
import { type Call, keepsText, type Yield } from "./calls.ts";

type Maker = (call: Call, outer: Call, receiver: string | undefined) => Yield | undefined;

/** The text a method is called on: the one before the dot, or the variable the call's name begins with. */
const onText = (outer: Call, receiver: string | undefined): string | undefined =>
  receiver ?? (outer.joins ? outer.strings.pop() : undefined);

/** A separator that is given first, as perl, php and R do: `join(" ", "rm", "-rf")`. */
const separator = /^[\s,;:|-]*$/;

/** `' '.join(list)`, `list.join(' ')` and `join(' ', list)`, inside the call `outer`. */
const joined: Maker = ({ strings: own, taint }, outer, receiver) => {
  const before = outer.strings;
  const by = receiver ?? (outer.joins && (own.length > 1 || before.length === 1) ? before.pop() : undefined);
  if (by !== undefined) return { text: joinedBy(own, by), taint };
  if (before.length > 1) return { text: joinedBy(before.splice(0), own[0] ?? ","), taint };
  if (own.length > 1 && separator.test(own[0]!)) return { text: own.slice(1).join(own[0]), taint };
  return { text: own.length > 0 ? own.join("/") : undefined, taint };
};

/** `Path(a).joinpath(b)`; several texts that are given are one path. */
const below: Maker = ({ strings, taint }, outer, receiver) => ({
  text: [onText(outer, receiver) ?? "", ...strings].filter(text => text !== "").join("/"),
  taint,
});

/** Fills `%s` and `%d` in order. */
export function filled(text: string, given: readonly string[]): string {
  let at = 0;
  return text.replace(/%[sdv]/g, whole => given[at++] ?? whole);
}

/** `'{} -rf {1}'.format('rm', '/')`, `sprintf('%s -rf', 'rm')`. */
const formatted: Maker = ({ strings, taint }, outer, receiver) => {
  const [first] = strings;
  if (first !== undefined && /%[sdv]/.test(first)) return { text: filled(first, strings.slice(1)), taint };
  let at = 0;
  let chars = 0;
  const text = onText(outer, receiver)?.replace(/\{(\d?)\w*\}/g, (whole, n: string) => {
    const given = strings[n === "" ? at++ : Number(n)] ?? whole;
    sized((chars += given.length));
    return given;
  });
  return { text, taint };
};

/** `'rX -rf'.replace('X', 'm')`, `str_replace('X', 'm', 'rX -rf')`. */
const replaced: Maker = ({ strings, taint }, outer, receiver) => {
  const [from, to, own] = strings;
  if (from === undefined || to === undefined || from === "") return undefined;
  const text = own ?? onText(outer, receiver);
  return text === undefined ? undefined : { text: replacedBy(text, from, to), taint };
};

/** `codecs.decode('ez -es /', 'rot13')` */
const recoded: Maker = ({ strings, taint }) =>
  /^rot_?13$/i.test(strings[1] ?? "") ? { text: rot13(strings[0]!), taint: taint | DECODED } : undefined;

const makers = new Map<string, Maker>(
  Object.entries({
    join: joined,
    implode: joined,
    joinpath: below,
    format: formatted,
    sprintf: formatted,
    Sprintf: formatted,
    replace: replaced,
    replaceAll: replaced,
    str_replace: replaced,
    gsub: replaced,
    decode: recoded,
    encode: recoded,
  }),
);

/** The text that the call of a function of this name makes; undefined: it makes none that can be told. */
export function madeText(name: string, call: Call, outer: Call, receiver: string | undefined): Yield | undefined {
  return makers.get(name)?.(call, outer, receiver);
}

/** Parentheses and calls that make a list of what they are given. */
const isList = /^(\(|c|list|array|vector|tuple|List\.of|Array\.of|asList|Arrays\.asList|listOf)$/;

/** What a call yields becomes an argument of the call around it, or part of the text that is being joined there. */
export function handOver(call: Call, result: Yield, parent: Call): void {
  const { strings } = parent;
  parent.taint |= result.taint;
  parent.list ||= isList.test(call.name) && (call.list || call.name !== "(");
  if (call.name === "(" && parent.joins && strings.at(-1)?.includes("%"))
    strings.push(filled(strings.pop()!, call.strings));
  else if (call.strings.length > 1 && isList.test(call.name)) strings.push(...call.strings);
  else if (result.text === undefined) parent.other ||= !(keepsText.test(call.name) && call.strings.length === 0);
  else if (parent.joins && strings.length > 0) strings[strings.length - 1] += result.text;
  else strings.push(result.text);
}
