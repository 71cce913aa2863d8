/** `od`, `hexdump` and `xxd` of known text: other filters put together again what they take apart. */
import { formatted } from "./awk-values.ts";

const named: Record<string, string> = { "\0": "\\0", "\n": "\\n", "\t": "\\t", "\r": "\\r" };
const nameless = (byte: number): boolean => byte < 32 || byte > 126;

/** A byte by the letter of `od -t`. */
const shown: Record<string, (byte: number) => string> = {
  c: byte => {
    const c = String.fromCharCode(byte);
    return (named[c] ?? (nameless(byte) ? byte.toString(8).padStart(3, "0") : c)).padStart(4);
  },
  x: byte => ` ${byte.toString(16).padStart(2, "0")}`,
  o: byte => ` ${byte.toString(8).padStart(3, "0")}`,
  d: byte => String(byte).padStart(4),
};
shown["u"] = shown["d"]!;

interface Options {
  address: boolean;
  kind: string | undefined;
  width: number;
}

/** `-An`, `-t x1`, `-c`, `-b`, `-w1`, one by one or joined. */
function options(args: readonly string[]): Options {
  const out: Options = { address: true, kind: undefined, width: 16 };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (!/^-[a-zA-Z]/.test(arg)) continue;
    const at = arg.search(/[AtwjNS]/);
    const letters = at < 0 ? arg : arg.slice(0, at);
    const letter = at < 0 ? "" : arg[at];
    if (letters.includes("c")) out.kind = "c";
    if (letters.includes("b")) out.kind = "o1";
    const value = at < 0 ? "" : arg.slice(at + 1) || (letter === "w" ? "32" : (args[++i] ?? ""));
    if (letter === "A") out.address = value !== "n";
    if (letter === "t") out.kind = value;
    if (letter === "w") out.width = Number(value) || 16;
  }
  return out;
}

/** The output of `od args`; undefined: not to be told. */
export function od(text: string, args: readonly string[]): string | undefined {
  const { address, kind, width } = options(args);
  const show = /^(c|[xoud]1)$/.test(kind ?? "") ? shown[kind![0]!] : undefined;
  if (!show || !bytes.test(text)) return undefined;
  let out = "";
  for (let from = 0; from < text.length; from += width) {
    if (address) out += from.toString(8).padStart(7, "0");
    for (const c of text.slice(from, from + width)) out += show(c.charCodeAt(0));
    out += "\n";
  }
  return address ? `${out}${text.length.toString(8).padStart(7, "0")}\n` : out;
}

const bytes = /^[\0-\xff]*$/;
const eachByte = /^(?:1?\/1)? *"([^"]*)"$/;

/** The output of `hexdump -e '/1 "%02x"'`; undefined: not to be told. */
export function hexdump(text: string, args: readonly string[]): string | undefined {
  const at = args.findIndex(arg => /^-[a-zA-Z]*e$/.test(arg));
  const format = eachByte
    .exec(args[at + 1] ?? "")?.[1]
    ?.replaceAll("%_c", "%c")
    .replaceAll("\\n", "\n");
  if (at < 0 || format === undefined || !bytes.test(text)) return undefined;
  return [...text].map(c => formatted([format, String(c.charCodeAt(0))])).join("");
}

/** The output of `xxd -p`; undefined: not to be told. */
export const plainHex = (text: string): string | undefined =>
  bytes.test(text)
    ? `${[...text]
        .map(c => c.charCodeAt(0).toString(16).padStart(2, "0"))
        .join("")
        .replace(/.{60}(?=.)/g, "$&\n")}\n`
    : undefined;
