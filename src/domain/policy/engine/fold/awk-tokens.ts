/** The words and signs of `awk` programs. */
import { calls } from "./awk-functions.ts";

/** Thrown where a program holds what is not followed. */
export class Unreadable extends Error {}

export interface Token {
  kind: "number" | "string" | "regex" | "name" | "call" | "word" | "sign" | "end";
  text: string;
}

const words = new Set(
  "BEGIN END if else while for do in print printf next exit break continue delete getline function func return".split(
    " ",
  ),
);
const token =
  /(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+)|"((?:[^"\\\n]|\\[\s\S])*)"|([A-Za-z_]\w*)(\(?)|(\n|&&|\|\||\+\+|--|\*\*|[-+*/%^!=<>]=|>>|[-+*/%^!~<>=?:;,(){}[\]$|])/y;
/** What stands between them. */
const gap = /(?:[ \t\r]|\\\n)*(?:#[^\n]*)?/y;

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v" };
const unescaped = (text: string): string =>
  text.replace(/\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|([\s\S]))/g, (_, octal?: string, hex?: string, c?: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return hex !== undefined ? String.fromCharCode(Number.parseInt(hex, 16)) : (escapes[c!] ?? c!);
  });

/** The tokens of a program, the last one being its end. */
export function tokens(source: string): Token[] {
  const out: Token[] = [];
  let at = 0;
  for (;;) {
    gap.lastIndex = at;
    at += gap.exec(source)![0].length;
    if (at >= source.length) break;
    const before = out.at(-1);
    const operand = before && (/^(number|string|regex|name)$/.test(before.kind) || /^[)\]$]$/.test(before.text));
    const regex = operand ? null : /^\/((?:[^/\\\n]|\\[\s\S])+)\//.exec(source.slice(at, at + 1024));
    if (regex) {
      out.push({ kind: "regex", text: regex[1]!.replaceAll("\\/", "/") });
      at += regex[0].length;
      continue;
    }
    token.lastIndex = at;
    const found = token.exec(source);
    if (!found) throw new Unreadable();
    at = token.lastIndex;
    const [, digits, text, name, open, sign] = found;
    if (digits !== undefined) out.push({ kind: "number", text: digits });
    else if (text !== undefined) out.push({ kind: "string", text: unescaped(text) });
    else if (name !== undefined) {
      const kind = words.has(name) ? "word" : open === "(" || calls.has(name) ? "call" : "name";
      if (open === "(") at--;
      out.push({ kind, text: name });
    } else out.push({ kind: "sign", text: sign! });
  }
  out.push({ kind: "end", text: "" });
  return out;
}
