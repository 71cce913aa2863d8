/** `jq` programs that make one text of what is known: literals, paths, joined, decoded, turned round. */
import { base64Decode } from "./encodings.ts";

const token = /\s*(?:("(?:[^"\\]|\\.)*")|(-?\d+)|([.$@]?[A-Za-z_]\w*)|(\.(?=["[])|[.[\](),:;|+{}]))/y;

/** Thrown where a program holds what is not followed. */
class Unreadable extends Error {}
const refuse = (): never => {
  throw new Unreadable();
};

const text = (value: unknown): string => (typeof value === "string" ? value : refuse());
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : refuse());

/** Functions by name and number of arguments. */
const functions: Record<string, (input: unknown, given: readonly unknown[]) => unknown> = {
  "join/1": (v, [by]) => list(v).join(text(by)),
  "reverse/0": v => (typeof v === "string" ? [...v].reverse().join("") : [...list(v)].reverse()),
  "implode/0": v =>
    String.fromCodePoint(...list(v).map(n => (typeof n === "number" && n > 0 && n < 0x110000 ? n : refuse()))),
  "explode/0": v => [...text(v)].map(c => c.codePointAt(0)),
  "add/0": v => list(v).map(text).join(""),
  "split/1": (v, [by]) => text(v).split(text(by)),
  "ltrimstr/1": (v, [by]) => (text(v).startsWith(text(by)) ? text(v).slice(text(by).length) : v),
  "rtrimstr/1": (v, [by]) => (text(v).endsWith(text(by)) ? text(v).slice(0, -text(by).length) : v),
  "ascii_downcase/0": v => text(v).toLowerCase(),
  "ascii_upcase/0": v => text(v).toUpperCase(),
  "tostring/0": v => (typeof v === "string" ? v : JSON.stringify(v)),
  "first/0": v => list(v)[0],
  "last/0": v => list(v).at(-1),
  "fromjson/0": v => JSON.parse(text(v)),
  "@base64d/0": v => base64Decode(text(v)) ?? refuse(),
  "@text/0": v => v,
  "@sh/0": v => (Array.isArray(v) ? v : [v]).map(one => `'${String(one)}'`).join(" "),
};

class Program {
  private readonly tokens: string[] = [];
  private at = 0;
  private depth = 0;

  constructor(source: string) {
    token.lastIndex = 0;
    for (let from = 0; source.slice(from).trim() !== ""; from = token.lastIndex) {
      const found = token.exec(source);
      if (!found || this.tokens.length > 256) refuse();
      this.tokens.push(found![0].trim());
    }
  }

  private take(sign: string): boolean {
    if (this.tokens[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  whole(input: unknown): unknown {
    const value = this.piped(input);
    return this.at === this.tokens.length ? value : refuse();
  }

  private piped(input: unknown): unknown {
    if (++this.depth > 32) refuse();
    let value = this.sum(input);
    while (this.take("|")) value = this.sum(value);
    this.depth--;
    return value;
  }

  private sum(input: unknown): unknown {
    let value = this.term(input);
    while (this.take("+")) {
      const more = this.term(input);
      value = Array.isArray(value) ? [...value, ...list(more)] : text(value) + text(more);
    }
    return value;
  }

  private term(input: unknown): unknown {
    let value = this.primary(input);
    for (;;) {
      const next = this.tokens[this.at] ?? "";
      if (/^\.\w/.test(next)) value = member(value, this.tokens[this.at++]!.slice(1));
      else if (this.take("[")) value = this.index(value);
      else return value;
    }
  }

  private index(value: unknown): unknown {
    const key = this.tokens[this.at++] ?? "";
    if (!this.take("]")) refuse();
    return member(value, key.startsWith('"') ? (JSON.parse(key) as string) : key);
  }

  private primary(input: unknown): unknown {
    const word = this.tokens[this.at++] ?? "";
    if (word.startsWith('"')) return word.includes("\\(") ? refuse() : JSON.parse(word);
    if (/^-?\d/.test(word)) return Number(word);
    if (word === ".")
      return this.tokens[this.at]?.startsWith('"')
        ? member(input, JSON.parse(this.tokens[this.at++]!) as string)
        : input;
    if (/^\.\w/.test(word)) return member(input, word.slice(1));
    if (word === "(") {
      const value = this.piped(input);
      return this.take(")") ? value : refuse();
    }
    if (word === "[") return this.items(input, "]", ",");
    if (!/^@?[a-z]/.test(word)) return refuse();
    const given = this.take("(") ? this.items(input, ")", ";") : [];
    return (functions[`${word}/${given.length}`] ?? refuse)(input, given);
  }

  private items(input: unknown, end: string, by: string): unknown[] {
    const out: unknown[] = [];
    if (this.take(end)) return out;
    do out.push(this.piped(input));
    while (this.take(by));
    return this.take(end) ? out : refuse();
  }
}

function member(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/** The output of `jq -r script` for a text; undefined: not to be told. */
export function jq(script: string, input: string): string | undefined {
  if (script.length > 2048) return undefined;
  try {
    const value = new Program(script).whole(input.trim() === "" ? null : JSON.parse(input));
    return typeof value === "string" ? `${value}\n` : undefined;
  } catch {
    return undefined;
  }
}
