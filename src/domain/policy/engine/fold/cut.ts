/** `${x#p}` and `${x/p/r}`: what a pattern takes out of a text, found in one pass over the text from each place. */
import { limits } from "../limits.ts";
import { type Element, elements, exactly } from "./pattern.ts";

/** Told how many characters were looked at; throws when these are too many. */
type Spend = (chars: number) => void;

const special = /[*?[\\(]/;

/** Every length of a beginning of `text`, from `from` on, that the pattern matches; shortest first. */
function* lengths(pattern: readonly Element[], text: string, from: number, spend: Spend): Generator<number> {
  let at = past(pattern, new Set([0]));
  for (let i = from; ; i++) {
    if (at.has(pattern.length)) yield i - from;
    if (i >= text.length || at.size === 0) return;
    spend(2 * at.size);
    const next = new Set<number>();
    for (const state of at) {
      const element = pattern[state];
      if (state === pattern.length) continue;
      if (element === undefined) next.add(state);
      else if (element(text[i]!)) next.add(state + 1);
    }
    at = past(pattern, next);
  }
}

/** A `*` may stand for nothing. */
function past(pattern: readonly Element[], states: Set<number>): Set<number> {
  for (const state of states) if (state < pattern.length && pattern[state] === undefined) states.add(state + 1);
  return states;
}

function length(patterns: readonly Element[][], text: string, from: number, longest: boolean, spend: Spend): number {
  let best = -1;
  for (const pattern of patterns)
    for (const found of lengths(pattern, text, from, spend)) {
      if (best < 0 || (longest ? found > best : found < best)) best = found;
      if (!longest) break;
    }
  return best;
}

/** `${x#p}` `${x##p}` `${x%p}` `${x%%p}`; undefined: not to be told. */
export function remove(text: string, pattern: string, operator: string, spend: Spend): string | undefined {
  const longest = operator.length === 2;
  const prefix = operator[0] === "#";
  if (!special.test(pattern)) {
    if (prefix) return text.startsWith(pattern) ? text.slice(pattern.length) : text;
    return text.endsWith(pattern) ? text.slice(0, text.length - pattern.length) : text;
  }
  const all = exactly(pattern)?.map(elements);
  if (!all) return undefined;
  const read = prefix ? text : backwards(text);
  const cut = length(prefix ? all : all.map(one => one.reverse()), read, 0, longest, spend);
  if (cut < 0) return text;
  return prefix ? text.slice(cut) : text.slice(0, text.length - cut);
}

const backwards = (text: string): string => {
  let out = "";
  for (let i = text.length - 1; i >= 0; i--) out += text[i];
  return out;
};

/** `${x/p/r}` and its forms `//`, `/#`, `/%`; undefined: not to be told. */
export function replace(text: string, pattern: string, by: string, operator: string, spend: Spend): string | undefined {
  if (pattern === "") return operator === "/#" ? by + text : operator === "/%" ? text + by : text;
  spend(text.length);
  if (!special.test(pattern)) return replaceLiteral(text, pattern, by, operator);
  if (operator === "/%") {
    const rest = remove(text, pattern, "%%", spend);
    return rest === undefined || rest === text ? rest : rest + by;
  }
  const all = exactly(pattern)?.map(elements);
  if (!all) return undefined;
  let out = "";
  for (let i = 0; i < text.length; ) {
    const cut = length(all, text, i, true, spend);
    if (cut > 0) {
      out += by;
      if (out.length > limits.text) return undefined;
      i += cut;
      if (operator !== "//") return out + text.slice(i);
    } else {
      if (operator === "/#") return text;
      out += text[i++];
    }
  }
  return out;
}

function replaceLiteral(text: string, pattern: string, by: string, operator: string): string | undefined {
  if (operator === "//") {
    const parts = text.split(pattern);
    return text.length + parts.length * by.length > limits.text + by.length ? undefined : parts.join(by);
  }
  if (operator === "/#") return text.startsWith(pattern) ? by + text.slice(pattern.length) : text;
  if (operator === "/%") return text.endsWith(pattern) ? text.slice(0, -pattern.length) + by : text;
  return text.replace(pattern, () => by);
}
