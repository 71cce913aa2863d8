import { awk } from "./awk.ts";
import { base32Decode, base64Decode, hexDecode, rot13 } from "./encodings.ts";
import { dc } from "./dc.ts";
import { jq } from "./jq.ts";
import { grep } from "./grep.ts";
import { hexdump, od, plainHex } from "./od.ts";
import { sed, type Tools } from "./sed.ts";

/** Programs that turn known text into known text: `(text, flags and operands as given) → text`; undefined: not known. */
export type Filter = (text: string, args: readonly string[], tools: Tools) => string | undefined;

const lines = (text: string): string[] => text.replace(/\n$/, "").split("\n");
const unlines = (list: readonly string[]): string => (list.length === 0 ? "" : `${list.join("\n")}\n`);

/** Value of a flag, attached or apart. */
function value(args: readonly string[], flag: string, long = flag): string | undefined {
  for (let i = 0; i < args.length; i++) {
    if (args[i] === flag || args[i] === long) return args[i + 1];
    if (args[i]!.startsWith(`${long}=`)) return args[i]!.slice(long.length + 1);
    if (args[i]!.startsWith(flag) && !args[i]!.startsWith("--")) return args[i]!.slice(flag.length);
  }
  return undefined;
}

function count(args: readonly string[], standard: number): number {
  const given =
    value(args, "-n") ??
    args.find(a => /^-\d+$/.test(a))?.slice(1) ??
    args.find(a => a.startsWith("--lines="))?.slice(8);
  return given === undefined ? standard : Number(given);
}

/** The ranges of `cut -c1-3,5` as a test. */
function ranges(list: string): (n: number) => boolean {
  const parsed = list.split(",").map(r => {
    const [from, to] = r.includes("-") ? r.split("-") : [r, r];
    return [Number(from || 1), to === "" ? Number.POSITIVE_INFINITY : Number(to)] as const;
  });
  return n => parsed.some(([from, to]) => n >= from && n <= to!);
}

const cut: Filter = (text, args) => {
  const chars = value(args, "-c", "--characters") ?? value(args, "-b", "--bytes");
  const delimiter = value(args, "-d", "--delimiter") ?? "\t";
  const fields = value(args, "-f", "--fields");
  const wanted = chars ?? fields;
  if (wanted === undefined || wanted.length > 256) return undefined;
  const listed = ranges(wanted);
  const keep = args.includes("--complement") ? (n: number) => !listed(n) : listed;
  return unlines(
    lines(text).map(line => {
      if (chars !== undefined) return [...line].filter((_, i) => keep(i + 1)).join("");
      return line.includes(delimiter)
        ? line
            .split(delimiter)
            .filter((_, i) => keep(i + 1))
            .join(value(args, "--output-delimiter") ?? delimiter)
        : line;
    }),
  );
};

const classes: Record<string, string> = {
  "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  "[:lower:]": "abcdefghijklmnopqrstuvwxyz",
  "[:digit:]": "0123456789",
  "[:space:]": " \t\n\r\v\f",
  "[:blank:]": " \t",
};

function trSet(text: string): string[] {
  const out: string[] = [];
  const plain = text
    .replace(/\[:\w+:\]/g, c => classes[c] ?? "")
    .replace(/\\(\d{1,3}|.)/g, (_, c: string) =>
      /^\d/.test(c) ? String.fromCharCode(Number.parseInt(c, 8)) : ({ n: "\n", t: "\t", r: "\r" }[c] ?? c),
    );
  for (let i = 0; i < plain.length; i++) {
    if (plain[i + 1] === "-" && i + 2 < plain.length && plain[i + 2]! >= plain[i]!) {
      for (let c = plain.charCodeAt(i); c <= plain.charCodeAt(i + 2); c++) out.push(String.fromCharCode(c));
      i += 2;
    } else out.push(plain[i]!);
  }
  return out;
}

const tr: Filter = (text, args) => {
  const flags = args.filter(a => /^-[a-zA-Z-]/.test(a)).join("");
  const [from, to] = args.filter(a => !/^-[a-zA-Z-]/.test(a));
  if (from === undefined) return undefined;
  const source = trSet(from);
  const listed = new Set(source);
  const complement = /[cC]/.test(flags);
  const has = (c: string) => listed.has(c) !== complement;
  let out = "";
  if (flags.includes("d")) {
    for (const c of text) if (!has(c)) out += c;
    return out;
  }
  const target = trSet(to ?? from);
  const map = new Map(source.map((c, i) => [c, target[Math.min(i, target.length - 1)]!]));
  for (const c of text) {
    const mapped = complement ? (has(c) ? target.at(-1)! : c) : (map.get(c) ?? c);
    if (flags.includes("s") && out.endsWith(mapped) && (target.includes(mapped) || source.includes(mapped))) continue;
    out += mapped;
  }
  return out;
};

const head: Filter = (text, args) => {
  const bytes = value(args, "-c");
  return bytes === undefined ? unlines(lines(text).slice(0, count(args, 10))) : text.slice(0, Number(bytes));
};

const tail: Filter = (text, args) => {
  const bytes = value(args, "-c");
  if (bytes !== undefined) return bytes.startsWith("+") ? text.slice(Number(bytes) - 1) : text.slice(-Number(bytes));
  const n = value(args, "-n") ?? "";
  if (n.startsWith("+")) return unlines(lines(text).slice(Number(n) - 1));
  return unlines(lines(text).slice(-count(args, 10)));
};

const xxd: Filter = (text, args) => {
  const flags = args.filter(a => a.startsWith("-")).join("");
  if (!flags.includes("r")) return flags.includes("p") ? plainHex(text) : undefined;
  return hexDecode(
    flags.includes("p") ? text : text.replace(/^[0-9a-f]+:\s?([0-9a-f]{2,}(?: [0-9a-f]{2,})* ?).*$/gim, "$1"),
  );
};

const base64: Filter = (text, args) =>
  args.some(a => /^-[a-zA-Z]*[dD]|^--d/.test(a)) ? base64Decode(text) : encode(text);

function encode(text: string): string | undefined {
  return /^[\0-\xff]*$/.test(text) ? `${btoa(text)}\n` : undefined;
}

const fold: Filter = (text, args) => {
  const width = Number(value(args, "-w") ?? value(args, "-b") ?? args.find(a => /^-\d+$/.test(a))?.slice(1) ?? 80);
  if (!(width > 0)) return undefined;
  const piece = new RegExp(`.{1,${Math.min(width, 999)}}`, "gs");
  return unlines(lines(text).flatMap(l => l.match(piece) ?? [""]));
};

/** `sort -rn`, `-u`, `-t, -k2`. */
const sort: Filter = (text, args) => {
  const flags = args.filter(a => /^-[a-zA-Z]/.test(a)).join("");
  const key = Number.parseInt(value(args, "-k", "--key") ?? "0", 10);
  const by = value(args, "-t", "--field-separator");
  const fields = (l: string): string[] => (by === undefined ? l.trim().split(/\s+/) : l.split(by));
  const keyOf = (l: string): string =>
    key > 0
      ? fields(l)
          .slice(key - 1)
          .join(by ?? " ")
      : l;
  const order = (a: string, b: string): number =>
    (flags.includes("n") ? Number.parseFloat(keyOf(a)) - Number.parseFloat(keyOf(b)) : 0) ||
    (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b)));
  const sorted = lines(text).sort(order);
  if (flags.includes("r")) sorted.reverse();
  return unlines(flags.includes("u") ? sorted.filter((l, i) => l !== sorted[i - 1]) : sorted);
};

/** `column -t`: words under each other. Of one line only the blanks change. */
const column: Filter = text => unlines(lines(text).map(l => l.trim().replace(/\s+/g, "  ")));

/** `paste -s`: all lines in one. */
const paste: Filter = (text, args) => {
  if (!args.some(a => /^-\w*s/.test(a))) return args.some(a => !a.startsWith("-")) ? undefined : text;
  const at = args.findIndex(a => /^-s?d/.test(a));
  const by = at < 0 ? "\t" : args[at]!.replace(/^-s?d/, "") || (args[at + 1] ?? "");
  return unlines([lines(text).join(by === "\\0" ? "" : by.slice(0, 1))]);
};

export const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ["cat", t => t],
  ["tee", t => t],
  ["rev", t => unlines(lines(t).map(l => [...l].reverse().join("")))],
  ["tac", t => unlines(lines(t).reverse())],
  ["sort", sort],
  ["uniq", t => unlines(lines(t).filter((l, i, all) => l !== all[i - 1]))],
  ["head", head],
  ["tail", tail],
  ["cut", cut],
  ["tr", tr],
  ["sed", sed],
  ["awk", awk],
  ["xxd", xxd],
  ["base64", base64],
  ["base32", (t, a) => (a.some(x => /^-d|^--d/.test(x)) ? base32Decode(t) : undefined)],
  ["rot13", t => rot13(t)],
  ["fold", fold],
  ["grep", grep],
  ["expand", t => t.replaceAll("\t", " ")],
  ["paste", paste],
  ["column", column],
  ["od", od],
  ["hexdump", hexdump],
  ["dc", dc],
  ["iconv", t => t],
  ["strings", t => t],
  [
    "basenc",
    (t, a, tools) =>
      a.includes("--base16") ? hexDecode(t) : a.includes("--base32") ? base32Decode(t) : base64(t, a, tools),
  ],
  ["jq", (t, a) => (a.some(x => /^-\w*r|^--raw/.test(x)) ? jq(a.find(x => !x.startsWith("-")) ?? "", t) : undefined)],
]);
