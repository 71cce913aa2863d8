/** Brace expansion: `{a,b}`, `{1..3}`. */
import { parse, type Word } from "unbash";
import { limits } from "../limits.ts";
import type { Machine } from "../run/machine.ts";

/** Brace expansion of a word's source text; each result is parsed again, because braces come before all else. */
export function expandBraces(m: Machine, source: string): Word[] {
  const texts = braces(m, source);
  const out: Word[] = [];
  for (const text of texts) {
    m.step();
    const node = parse(`: ${text}`).commands[0]?.command;
    const first = node?.type === "Command" ? node.suffix[0] : undefined;
    if (first?.type === "Word") out.push(first);
  }
  return out;
}

/** Every text the braces of `text` stand for. */
export function braces(m: Machine, text: string): string[] {
  const group = findGroup(text);
  if (!group) return [text];
  m.step(1 + (text.length >> 4));
  const before = text.slice(0, group.open);
  const after = braces(m, text.slice(group.close + 1));
  const out: string[] = [];
  const choices =
    group.commas.length > 0 ? alternatives(m, text, group) : sequence(text.slice(group.open + 1, group.close));
  for (const choice of choices) {
    for (const tail of after) {
      m.step(1 + (tail.length >> 6));
      // Numbers that go on say nothing new; of words each counts.
      if (out.length >= limits.fields && group.commas.length === 0) return out;
      out.push(before + choice + tail);
    }
  }
  return out;
}

interface Group {
  open: number;
  close: number;
  commas: number[];
}

function alternatives(m: Machine, text: string, { open, close, commas }: Group): string[] {
  const out: string[] = [];
  let from = open + 1;
  for (const at of [...commas, close]) {
    out.push(...braces(m, text.slice(from, at)));
    from = at + 1;
  }
  return out;
}

/** The first `{…}` that holds a comma or `..` outside quotes. */
function findGroup(text: string): Group | undefined {
  for (let i = 0; i < text.length; i = skip(text, i)) {
    if (text[i] !== "{") continue;
    const group = closeGroup(text, i);
    if (group) return group;
  }
  return undefined;
}

function closeGroup(text: string, open: number): Group | undefined {
  const commas: number[] = [];
  let depth = 0;
  for (let i = open; i < text.length; i = skip(text, i)) {
    const c = text[i];
    if (c === "{") depth++;
    else if (c === "," && depth === 1) commas.push(i);
    else if (c === "}" && --depth === 0) {
      const inner = text.slice(open + 1, i);
      return commas.length > 0 || sequence(inner).length > 0 ? { open, close: i, commas } : undefined;
    }
  }
  return undefined;
}

/** The next position, past an escape or a quoted stretch. */
function skip(text: string, i: number): number {
  const c = text[i];
  if (c === "\\") return i + 2;
  if (c === "$" && text[i + 1] === "{") return end(text, i + 2, "}");
  if (c === "'" || c === '"' || c === "`") return end(text, i + 1, c);
  return i + 1;
}

function end(text: string, from: number, quote: string): number {
  const at = text.indexOf(quote, from);
  return at < 0 ? text.length : at + 1;
}

const range = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/;

/** `1..3`, `a..e`, `1..9..2`. */
function sequence(inner: string): string[] {
  const found = range.exec(inner);
  if (!found) return [];
  const letters = /[A-Za-z]/.test(found[1]! + found[2]!);
  if (letters && (found[1]!.length > 1 || found[2]!.length > 1)) return [];
  const read = (s: string) => (letters ? s.charCodeAt(0) : Number(s));
  const [from, to] = [read(found[1]!), read(found[2]!)];
  const by = Math.max(1, Math.abs(Number(found[3] ?? 1))) * (from <= to ? 1 : -1);
  const out: string[] = [];
  for (let n = from; by > 0 ? n <= to : n >= to; n += by) {
    if (out.length >= limits.fields) break;
    out.push(letters ? String.fromCharCode(n) : pad(n, found[1]!));
  }
  return out;
}

const pad = (n: number, like: string): string =>
  like.length > 1 && like.startsWith("0") ? String(n).padStart(like.length, "0") : String(n);
