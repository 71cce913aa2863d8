/** `awk` on known text. */
import { Parser, type Rule, type Signal } from "./awk-program.ts";
import { Unreadable } from "./awk-tokens.ts";
import { type Finder, finder, type Match } from "./regex.ts";
import type { Tools } from "./sed.ts";
import { number, numeric, type Value } from "./awk-values.ts";

const LONGEST = 65_536;

/** One run of a program. */
export class Awk {
  readonly vars = new Map<string, Value>();
  readonly arrays = new Map<string, Map<string, Value>>();
  readonly work: Tools["work"];
  private readonly tools: Tools;
  private readonly finders = new Map<string, Finder>();
  private readonly pipes = new Map<string, string>();
  private fields: string[] = [];
  private line = "";
  /** Fields were set since the line was put together. */
  private stale = false;
  out = "";

  constructor(tools: Tools) {
    this.tools = tools;
    this.work = tools.work;
  }

  text(value: Value): string {
    this.work(16);
    if (typeof value === "string") return value;
    return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  }

  get record(): string {
    if (this.stale) {
      this.line = Array.from(this.fields, f => f ?? "").join(this.string("OFS", " "));
      this.stale = false;
      this.work(this.line.length + this.fields.length);
    }
    return this.line;
  }

  holds = (value: Value): boolean => (numeric(value) ? number(value) !== 0 : value !== "");

  compare(left: Value, right: Value): number {
    if (numeric(left) && numeric(right)) return number(left) - number(right);
    const [one, other] = [this.text(left), this.text(right)];
    return one < other ? -1 : Number(one > other);
  }

  joined(one: string, other: string): string {
    this.work(one.length + other.length);
    if (one.length + other.length > LONGEST) throw new Unreadable();
    return one + other;
  }

  string(name: string, standard: string): string {
    const held = this.vars.get(name);
    return held === undefined ? standard : this.text(held);
  }

  variable(name: string): Value {
    return name === "NF" ? this.fields.length : (this.vars.get(name) ?? "");
  }

  assign(name: string, value: Value): void {
    this.work(8);
    this.vars.set(name, value);
    if (name !== "NF") return;
    this.fields.length = Math.min(number(value), 1000);
    this.stale = true;
  }

  array(name: string): Map<string, Value> {
    const held = this.arrays.get(name) ?? new Map<string, Value>();
    this.arrays.set(name, held);
    return held;
  }

  item(name: string, key: string): Value {
    if (name === "ENVIRON" || name === "PROCINFO") throw new Unreadable();
    return this.array(name).get(key) ?? "";
  }

  setItem(name: string, key: string, value: Value): void {
    this.work(64);
    this.array(name).set(key, value);
  }

  field(n: number): string {
    // `df | awk '{print $6}'`: what stands for many lines has one column.
    return n === 0 ? this.record : (this.fields[n - 1] ?? (this.tools.stands ? this.record : ""));
  }

  setField(n: number, value: string): void {
    this.work(value.length + 8);
    if (n === 0) return this.read(value);
    if (n < 0 || n > 1000) throw new Unreadable();
    while (this.fields.length < n) this.fields.push("");
    this.fields[n - 1] = value;
    this.stale = true;
  }

  read(record: string): void {
    this.work(record.length * 2);
    this.line = record;
    this.stale = false;
    this.fields = this.parts(record, this.string("FS", " "));
  }

  /** Blanks around are no fields; any other separator of more than one character is a regular expression. */
  parts(said: string, by: string): string[] {
    if (said === "") return [];
    if (by === " ") return said.trim() === "" ? [] : said.trim().split(/[ \t\n]+/);
    if (by === "" || by.length === 1) return said.split(by === "\\" ? "\\" : by);
    const out: string[] = [];
    let from = 0;
    for (const { start, end } of this.find(by, said, false)) {
      out.push(said.slice(from, start));
      from = end;
    }
    out.push(said.slice(from));
    return out;
  }

  find(pattern: string, said: string, once: boolean): Match[] {
    let found = this.finders.get(pattern);
    if (!found) {
      found = finder(pattern, true, "", this.work);
      if (!found) throw new Unreadable();
      this.finders.set(pattern, found);
    }
    return found(said, once);
  }

  print(said: string): void {
    this.out = this.joined(this.out, said);
  }

  pipe(command: string, said: string): void {
    this.pipes.set(command, this.joined(this.pipes.get(command) ?? "", said));
  }

  system(command: string): number {
    this.print(this.tools.start(command, "") ?? "");
    return 0;
  }

  /** What was printed into pipes goes through them. */
  close(): void {
    for (const [command, said] of this.pipes) this.print(this.tools.start(command, said) ?? "");
  }

  /** Runs all rules that apply to the line, to the beginning or to the end. */
  run(rules: readonly Rule[], when: "BEGIN" | "END" | undefined): Signal {
    for (const rule of rules) {
      if (typeof rule.when === "string" ? rule.when !== when : when !== undefined) continue;
      if (typeof rule.when === "function" && !this.holds(rule.when(this)) && !this.tools.stands) continue;
      const signal = rule.does ? rule.does(this) : void this.print(`${this.record}\n`);
      if (signal === "exit") return signal;
      if (signal === "next") return undefined;
    }
    return undefined;
  }
}

interface Words {
  script: string;
  sets: [name: string, value: string][];
  operands: string[];
}

/** `-F,`, `-v name=text`, the program, what stands behind it. */
function wordsOf(args: readonly string[]): Words | undefined {
  const out: Words = { script: "", sets: [], operands: [] };
  let given = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const option = given ? undefined : /^-([Fvfe])/.exec(arg)?.[1];
    if (option === undefined) {
      if (given) out.operands.push(arg);
      else if (!arg.startsWith("-")) [out.script, given] = [arg, true];
      continue;
    }
    const value = arg.length > 2 ? arg.slice(2) : (args[++i] ?? "");
    const at = value.indexOf("=");
    if (option === "f") return undefined;
    if (option === "e") [out.script, given] = [value, true];
    if (option === "F") out.sets.push(["FS", value === "t" ? "\t" : value]);
    if (option === "v" && at > 0) out.sets.push([value.slice(0, at), value.slice(at + 1)]);
  }
  return out;
}

const unquoted = (text: string): string => text.replaceAll("\\t", "\t").replaceAll("\\n", "\n");

/** The output of `awk args` for a text; undefined: not to be told. */
export function awk(text: string, args: readonly string[], tools: Tools): string | undefined {
  const words = wordsOf(args);
  if (!words || words.script.length > 4096) return undefined;
  tools.work(words.script.length * 8);
  const a = new Awk(tools);
  for (const [name, value] of words.sets) a.vars.set(name, unquoted(value));
  const argv = a.array("ARGV");
  for (const [i, word] of ["awk", ...words.operands].entries()) argv.set(String(i), word);
  a.vars.set("ARGC", argv.size);
  try {
    const rules = new Parser(words.script).rules();
    if (a.run(rules, "BEGIN") !== "exit" && rules.some(rule => rule.when !== "BEGIN")) {
      overLines(a, rules, text);
      a.run(rules, "END");
    }
    a.close();
    return a.out;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function overLines(a: Awk, rules: readonly Rule[], text: string): void {
  const by = a.string("RS", "\n");
  const separator = by === "" ? "\n\n" : by[0]!;
  const all = text === "" ? [] : text.replace(/\n$/, "").split(separator);
  for (const [i, line] of all.entries()) {
    a.vars.set("NR", i + 1);
    a.vars.set("FNR", i + 1);
    a.read(line);
    if (a.run(rules, undefined) === "exit") break;
  }
}
