/** `sed` on known text: GNU's commands but those that read and write files. */
import { type Command, parsed } from "./sed-script.ts";
import type { Finder, Work } from "./regex.ts";

/** What a filter may ask for: leave to look through so much text, and what a command prints that it starts. */
export interface Tools {
  work: Work;
  /** The text is one line that stands for many nobody knows. */
  stands: boolean;
  /** Runs a command of the shell; undefined: what it prints is not known. */
  start(command: string, input: string): string | undefined;
}

interface Options {
  scripts: string[];
  quiet: boolean;
  extended: boolean;
  separator: string;
}

/** Options of `sed`, one by one or joined: `-ne script`, `-E`, `-i.old`. */
function options(args: readonly string[]): Options | undefined {
  const out: Options = { scripts: [], quiet: false, extended: false, separator: "\n" };
  let operand: string | undefined;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (!/^-./.test(arg)) operand ??= arg;
    else if (arg.startsWith("--")) {
      if (arg.startsWith("--expression")) out.scripts.push(arg[12] === "=" ? arg.slice(13) : (args[++i] ?? ""));
      else if (/^--(quiet|silent)$/.test(arg)) out.quiet = true;
      else if (arg === "--regexp-extended") out.extended = true;
      else if (arg === "--null-data") out.separator = "\0";
      else if (arg.startsWith("--file")) return undefined;
    } else {
      const at = arg.search(/[efil]/);
      const letters = at < 0 ? arg : arg.slice(0, at);
      out.quiet ||= letters.includes("n");
      out.extended ||= /[rE]/.test(letters);
      if (letters.includes("z")) out.separator = "\0";
      if (arg[at] === "f") return undefined;
      if (arg[at] === "e") out.scripts.push(arg.slice(at + 1) || (args[++i] ?? ""));
      if (arg[at] === "l" && at === arg.length - 1) i++;
    }
  }
  if (out.scripts.length === 0 && operand !== undefined) out.scripts.push(operand);
  return out.scripts.length === 0 ? undefined : out;
}

/** One run over the lines of a text. */
class Run {
  readonly lines: string[];
  private readonly tools: Tools;
  private readonly options: Options;
  private readonly commands: readonly Command[];
  private readonly active = new Set<Command>();
  private space = "";
  private hold = "";
  private after = "";
  private at = -1;
  private changed = false;
  out = "";

  constructor(text: string, commands: readonly Command[], options: Options, tools: Tools) {
    const { separator } = options;
    this.lines = (text.endsWith(separator) ? text.slice(0, -1) : text).split(separator);
    this.commands = commands;
    this.options = options;
    this.tools = tools;
  }

  /** Whether everything could be told. */
  all(): boolean {
    while (++this.at < this.lines.length) {
      this.space = this.lines[this.at]!;
      this.changed = false;
      const end = this.cycle();
      if (end === undefined) return false;
      if (end !== "d" && end !== "Q" && !this.options.quiet) this.print(this.space);
      this.flush();
      if (end === "q" || end === "Q") break;
    }
    return true;
  }

  private print(text: string): void {
    this.tools.work(text.length + 4);
    this.out += text + this.options.separator;
  }

  private flush(): void {
    this.out += this.after;
    this.after = "";
  }

  private get last(): boolean {
    return this.at >= this.lines.length - 1;
  }

  /** Runs the commands once; how the cycle ended, undefined where that cannot be told. */
  private cycle(): string | undefined {
    for (let pc = 0; pc < this.commands.length; pc++) {
      this.tools.work(32);
      const c = this.commands[pc]!;
      if (!this.chosen(c)) {
        if (c.name === "{") pc = c.goto;
        continue;
      }
      const told = this.one(c);
      if (told === "jump") pc = c.goto;
      else if (told !== "") return told;
    }
    return "end";
  }

  private chosen(c: Command): boolean {
    if (c.from === undefined) return true;
    let within = false;
    if (c.to === undefined) within = this.fits(c.from);
    else if (this.active.has(c)) {
      within = true;
      if (this.ends(c)) this.active.delete(c);
    } else if (this.fits(c.from)) {
      within = true;
      if (!(typeof c.to === "number" && c.to <= this.at + 1)) this.active.add(c);
    }
    return within !== c.not;
  }

  private ends = (c: Command): boolean => (typeof c.to === "number" ? this.at + 1 >= c.to : this.fits(c.to!));

  private fits(where: number | Finder): boolean {
    if (typeof where !== "number") return where(this.space, true).length > 0;
    return where === Number.POSITIVE_INFINITY ? this.last : this.at + 1 === where;
  }

  /** Runs one command: "" to go on, "jump", how the cycle ends, or undefined. */
  private one(c: Command): string | undefined {
    switch (c.name) {
      case "s":
        return this.substitute(c);
      case "y":
        this.space = [...this.space].map(l => c.map!.get(l) ?? l).join("");
        return "";
      case "p":
        this.print(this.space);
        return "";
      case "P":
        this.print(this.space.split("\n")[0]!);
        return "";
      case "=":
        this.print(String(this.at + 1));
        return "";
      case "h":
        this.hold = this.space;
        return "";
      case "H":
        this.hold += `\n${this.space}`;
        return "";
      case "g":
        this.space = this.hold;
        return "";
      case "G":
        this.space += `\n${this.hold}`;
        this.tools.work(this.space.length);
        return "";
      case "x":
        [this.space, this.hold] = [this.hold, this.space];
        return "";
      case "z":
        this.space = "";
        return "";
      case "n":
      case "N":
        return this.next(c.name);
      case "a":
        this.after += `${c.text}\n`;
        return "";
      case "i":
        this.print(c.text);
        return "";
      case "c":
        if (!this.active.has(c)) this.print(c.text);
        return "d";
      case "e":
        return this.executes(c.text);
      case "b":
        return "jump";
      case "t":
      case "T": {
        const jumps = this.changed === (c.name === "t");
        this.changed = false;
        return jumps ? "jump" : "";
      }
      case "d":
      case "q":
      case "Q":
        return c.name;
      default:
        return "";
    }
  }

  private next(name: string): string {
    if (this.last) return "end";
    if (name === "n" && !this.options.quiet) this.print(this.space);
    this.flush();
    const line = this.lines[++this.at]!;
    this.space = name === "N" ? `${this.space}\n${line}` : line;
    this.tools.work(this.space.length);
    return "";
  }

  /** `e cmd` prints what the command prints first, `e` alone runs the line. */
  private executes(command: string): string | undefined {
    const printed = this.tools.start(command || this.space, "");
    if (printed === undefined) return undefined;
    if (command) this.out += printed;
    else this.space = printed.replace(/\n$/, "");
    return "";
  }

  private substitute(c: Command): string | undefined {
    const all = c.find!(this.space, c.nth === 1 && !c.flags.includes("g"));
    const chosen = all.filter((_, i) => i + 1 === c.nth || (i + 1 > c.nth && c.flags.includes("g")));
    if (chosen.length === 0) return "";
    let text = "";
    let from = 0;
    for (const { start, end, groups } of chosen) {
      text += this.space.slice(from, start) + c.by!(groups);
      from = end;
    }
    this.space = text + this.space.slice(from);
    this.tools.work(this.space.length);
    this.changed = true;
    if (c.flags.includes("e") && this.executes("") === undefined) return undefined;
    if (c.flags.includes("p")) this.print(this.space);
    return "";
  }
}

/** The output of `sed args` for a text; undefined: not to be told. */
export function sed(text: string, args: readonly string[], tools: Tools): string | undefined {
  const given = options(args);
  const commands = given && parsed(given.scripts.join("\n"), given.extended, tools.work);
  if (!commands) return undefined;
  const run = new Run(text, commands, given, tools);
  return run.all() ? run.out : undefined;
}
