import type { FileAct, Flag, Invocation } from "../../facts.ts";
import type { Field } from "../value.ts";
import type { Whole } from "./row.ts";
import type { Traits } from "./traits.ts";

/** All that is known about a program, its lists of words as sets; made when it is first met. */
export interface Spec {
  row: Whole;
  traits: Traits;
  valued: ReadonlySet<string> | undefined;
  subs: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  deep: ReadonlySet<string> | undefined;
  runs: ReadonlyMap<string, string> | undefined;
  files: ReadonlyMap<string, FileAct> | undefined;
  /** Long options whose value runs or names a file: they count when shortened too. */
  telling: readonly string[];
}

const set = (text: string): ReadonlySet<string> => new Set(text.split(" "));

export const spec = (row: Whole, traits: Traits): Spec => ({
  row,
  traits,
  valued: row.valued === undefined ? undefined : set(row.valued),
  subs: row.subs && new Map(Object.entries(row.subs).map(([k, v]) => [k, set(v)])),
  deep: row.deep === undefined ? undefined : set(row.deep),
  runs: row.runs && new Map(Object.entries(row.runs)),
  files: row.files && new Map(Object.entries(row.files)),
  telling: Object.keys({ ...row.runs, ...row.files }).filter(name => name.startsWith("--")),
});

/** Shortest spelling of a long option that getopt programs may take, its dashes counted. */
const SHORTENED = 5;

const DASH = 45;
const PLUS = 43;
const COLON = 58;
/** `-a` for the code of `a`, so that reading `-rf` makes no strings. */
const shortNames = Array.from({ length: 128 }, (_, code) => `-${String.fromCharCode(code)}`);
const shortName = (text: string, at: number): string => shortNames[text.charCodeAt(at)] ?? `-${text[at]}`;

class Reader {
  readonly operands: Field[] = [];
  rest = -1;
  private valued: ReadonlySet<string> | undefined;
  private wanted: number;
  /** How many operands stand before a command that is read no further. */
  private stop = Infinity;
  private ended = false;
  private readonly argv: Field[];
  private readonly s: Spec;
  private readonly inv: Invocation;

  constructor(argv: Field[], s: Spec, inv: Invocation) {
    this.argv = argv;
    this.s = s;
    this.inv = inv;
    this.valued = s.valued;
    this.wanted = s.row.sub ?? 0;
  }

  read(): void {
    const { argv } = this;
    const wraps = this.s.row.wraps;
    for (let i = 1; i < argv.length; ) {
      if (this.operands.length >= this.stop) {
        this.rest = i;
        return;
      }
      const text = argv[i]!.text;
      if (this.ended || text.length < 2 || text.charCodeAt(0) !== DASH) {
        if (wraps !== undefined && this.wanted === 0 && this.operands.length >= wraps) {
          this.rest = i;
          return;
        }
        this.operand(argv[i]!);
        i++;
      } else if (text === "--") {
        this.ended = true;
        i++;
      } else i = text.charCodeAt(1) === DASH || this.s.row.single ? this.long(i, text) : this.short(i, text);
    }
  }

  private operand(f: Field): void {
    if (this.wanted > 0) {
      this.wanted--;
      this.inv.subcommands.push(f.text);
      if (this.s.deep?.has(f.text)) this.wanted++;
      if (this.s.row.within !== undefined) this.stop = this.s.row.within[f.text] ?? Infinity;
      const more = this.s.subs?.get(f.text);
      if (more) this.valued = more;
      return;
    }
    if (this.s.row.ordered && !this.switchesOff(f.text)) this.ended = true;
    this.operands.push(f);
  }

  /** `+x`, `+O posix`: a plus switches an option of a shell off. */
  private switchesOff(text: string): boolean {
    return text.charCodeAt(0) === PLUS || /^\+[oO]$/.test(this.operands.at(-1)?.text ?? "");
  }

  private takes(name: string): boolean {
    return this.valued?.has(name) === true || (this.s.valued?.has(name) === true && this.valued === this.s.valued);
  }

  private long(i: number, text: string): number {
    const f = this.argv[i]!;
    const eq = text.indexOf("=");
    if (eq > 0) {
      this.push({ name: this.full(text.slice(0, eq)), value: part(f, eq + 1), span: f.span });
      return i + 1;
    }
    const next = this.argv[i + 1];
    const name = this.full(text);
    if (this.takes(name)) {
      this.push(next ? { name, value: next, span: f.span } : { name, span: f.span });
      return i + 2;
    }
    this.unlisted(name, f, next);
    return i + 1;
  }

  /** `--use-compress-prog` for `--use-compress-program`; `--ex` for `-ex` where long options begin with one dash. */
  private full(name: string): string {
    if (this.s.row.single && name.charCodeAt(1) === DASH && !this.takes(name) && this.takes(name.slice(1)))
      return name.slice(1);
    const { telling } = this.s;
    if (telling.length === 0 || name.length < SHORTENED || telling.includes(name)) return name;
    // An option of its own is no shortened one: `--checkpoint` of `--checkpoint-action`.
    if (name === "--checkpoint") return name;
    const meant = telling.filter(long => long.startsWith(name));
    return meant.length === 1 ? meant[0]! : name;
  }

  /** Nothing is known about the flag: the next word counts as its value and as an operand. */
  private unlisted(name: string, f: Field, next: Field | undefined): void {
    const open = this.valued === undefined && next !== undefined && next.text.charCodeAt(0) !== DASH;
    this.push(open ? { name, value: next, span: f.span } : { name, span: f.span });
  }

  private short(i: number, text: string): number {
    const f = this.argv[i]!;
    const next = this.argv[i + 1];
    // `zip -TT cmd`, `-TTcmd`: one option of two letters.
    if (text.length > 2 && text.charCodeAt(1) === text.charCodeAt(2) && this.takes(text.slice(0, 3)))
      return this.doubled(i, text, f, next);
    if (this.valued === undefined && text.length > 2) this.push({ name: text, span: f.span });
    for (let k = 1; k < text.length; k++) {
      const name = shortName(text, k);
      if (this.takes(name)) {
        if (k + 1 < text.length) this.push({ name, value: part(f, text[k + 1] === "=" ? k + 2 : k + 1), span: f.span });
        else if (next) this.push({ name, value: next, span: f.span });
        else this.push({ name, span: f.span });
        return i + (k + 1 < text.length ? 1 : 2);
      }
      // `perl -d:Module`
      if (text.charCodeAt(k + 1) === COLON && this.valued !== undefined) {
        this.push({ name, value: part(f, k + 1), span: f.span });
        return i + 1;
      }
      if (k + 1 === text.length) this.unlisted(name, f, next);
      else this.push({ name, span: f.span });
    }
    return i + 1;
  }

  private doubled(i: number, text: string, f: Field, next: Field | undefined): number {
    const held = text.length > 3;
    const value = held ? part(f, text[3] === "=" ? 4 : 3) : next;
    this.push(value ? { name: text.slice(0, 3), value, span: f.span } : { name: text.slice(0, 3), span: f.span });
    return i + (held ? 1 : 2);
  }

  private push(flag: Flag): void {
    this.inv.flags.push(flag);
  }
}

/** The part of a field after `from`, keeping its taint. */
export const part = (f: Field, from: number): Field => ({
  ...f,
  text: f.text.slice(from),
});

/** Splits words into subcommands, flags and operands by the program's row; fills `inv`. */
export function readArgs(argv: Field[], s: Spec, inv: Invocation): { operands: Field[]; rest: number } {
  const reader = new Reader(argv, s, inv);
  reader.read();
  inv.args = reader.operands;
  return reader;
}
