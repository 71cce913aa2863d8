/** What `printf` prints. */
import type { Machine } from "../run/machine.ts";
import { limits } from "../limits.ts";
import { EMPTY, type Field, literal, merged, overlong, tainted, unknown, type Val } from "../value.ts";
import { decodeEscapes } from "./ansi-c.ts";

const directive = /%(%|[-+ #0]*(\*|[1-9]\d*)?(?:\.(\*|\d+))?([a-zA-Z])|\((?:[^)%]|%(?!\())*\)T)/g;

/** `printf FORMAT [ARG…]`: the format is used again while arguments remain. */
export function printf(m: Machine, argv: readonly Field[]): Val {
  const format = argv[0];
  if (!format) return EMPTY;
  const { taint, origin } = merged(argv);
  if (!argv.every(f => f.known)) return unknown(taint, origin);
  const args = argv.slice(1).map(f => f.text);
  let out = "";
  let next = 0;
  do {
    m.step();
    const before = next;
    out += decodeEscapesAround(format.text, (_, all, width, precision, letter) => {
      if (all === "%") return "%";
      const size = width === "*" ? args[next++] : width;
      const cut = precision === "*" ? args[next++] : precision;
      return pad(convert(letter ?? "s", args[next++] ?? "", cut), size, all);
    });
    if (next === before) break;
    if (out.length > limits.text) return overlong(taint, origin);
  } while (next < args.length);
  return taint === 0 ? literal(out) : tainted(out, true, taint, origin);
}

type Convert = (match: string, all: string, width?: string, precision?: string, letter?: string) => string;

/** Escapes are decoded in the format, never in what the directives insert. */
function decodeEscapesAround(format: string, each: Convert): string {
  let out = "";
  let from = 0;
  for (const found of format.matchAll(directive)) {
    out += decodeEscapes(format.slice(from, found.index), "printf");
    out += each(found[0], found[1]!, found[2], found[3], found[4]);
    from = found.index + found[0].length;
  }
  return out + decodeEscapes(format.slice(from), "printf");
}

function convert(letter: string, arg: string, precision: string | undefined): string {
  const cut = (s: string) => (precision === undefined ? s : s.slice(0, Number(precision)));
  switch (letter) {
    case "s":
      return cut(arg);
    case "b":
      return cut(decodeEscapes(arg, "echo"));
    case "c":
      return arg.slice(0, 1);
    case "q":
      return /^[\w./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`;
    case "x":
      return number(arg).toString(16);
    case "X":
      return number(arg).toString(16).toUpperCase();
    case "o":
      return number(arg).toString(8);
    default:
      return String(number(arg));
  }
}

/** `'a` is the code of `a`; anything that is no number counts as 0, as in bash. */
function number(arg: string): number {
  if (/^['"]/.test(arg)) return arg.codePointAt(1) ?? 0;
  const n = arg.startsWith("0") && /^0[0-7]+$/.test(arg) ? Number.parseInt(arg, 8) : Number(arg);
  return Number.isNaN(n) ? 0 : n;
}

function pad(text: string, width: string | undefined, flags: string): string {
  const n = Number(width ?? 0);
  if (!n || n > 4096) return text;
  if (flags.startsWith("-")) return text.padEnd(n);
  return text.padStart(n, flags.startsWith("0") ? "0" : " ");
}
