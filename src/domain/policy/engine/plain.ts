/**
 * Reads the commands most texts consist of: words, quotes without escapes, `$name`, `*` and `?`, pipes, lists, redirects to files.
 * The nodes are those the parser makes of the same text, at less cost (plain.test.ts asks both); where anything could
 * mean more than is read here, the whole text is left to the parser.
 */
import type { AndOr, Command, ParsedScript, Pipeline, PipelineNode, Redirect, Statement } from "unbash";
import { PlainWord, QuotedWord, type ReadWord } from "./plain-word.ts";

/** What a character does to the word it stands in. */
const [UNREAD, PLAIN, ENDS, TILDE, EQUALS, SINGLE, DOUBLE, DOLLAR, ESCAPE, OPEN, GLOB] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
];

const kinds = new Uint8Array(128);
for (const [kind, chars] of [
  [PLAIN, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:@%+,-^"],
  [ENDS, " \t\n|&;<>"],
  [TILDE, "~"],
  [EQUALS, "="],
  [SINGLE, "'"],
  [DOUBLE, '"'],
  [DOLLAR, "$"],
  [ESCAPE, "\\"],
  [OPEN, "{"],
  [GLOB, "*?"],
] as const)
  for (const char of chars) kinds[char.charCodeAt(0)] = kind;

/** The same as bits, for all that was seen in a word. */
const equals = 1 << EQUALS;
const escapes = 1 << ESCAPE;
const expanded = (1 << SINGLE) | (1 << DOUBLE) | (1 << DOLLAR) | (1 << GLOB);
/** Beside them these make a word whose parts are asked for (`fold/quick.ts`): the parser would be asked once a word. */
const partial = (1 << ESCAPE) | (1 << TILDE) | (1 << OPEN);

const [TAB, LINE, BLANK, AMP, SEMI, LESS, MORE] = [9, 10, 32, 38, 59, 60, 62];
const [BACKTICK, PIPE, CLOSE, LAST] = [96, 124, 125, 126];

/** Where a command begins these are no programs, or what follows them is read in another way. */
const reserved = new Set(
  "if then elif else fi for in do done while until case esac select function time coproc eval let alias declare export local readonly typeset".split(
    " ",
  ),
);

const none: readonly never[] = [];
/** What `item` yields where a command ends. */
const nothing = Symbol("end of a command");

/** The script in a text; undefined where the parser has to read it. */
export function readPlain(text: string): ParsedScript | undefined {
  return new Reader(text).script();
}

class Reader {
  private at = 0;
  /** What the word read last holds besides plain characters. */
  private seen = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  script(): ParsedScript | undefined {
    const { text } = this;
    const commands: Statement[] = [];
    this.skip(true);
    while (this.at < text.length) {
      const command = this.andOr();
      if (command === undefined) return undefined;
      const background = this.code() === AMP;
      if (this.at < text.length) this.at++;
      commands.push({
        type: "Statement",
        pos: command.pos,
        end: background ? this.at : command.end,
        command,
        background: background || undefined,
      });
      this.skip(true);
    }
    if (commands.length === 0) return undefined;
    return { type: "Script", pos: 0, end: text.length, shebang: undefined, commands, errors: undefined };
  }

  private andOr(): PipelineNode | AndOr | undefined {
    const first = this.pipeline();
    if (first === undefined || !this.doubled()) return first;
    const commands = [first];
    const operators: ("&&" | "||")[] = [];
    while (this.doubled()) {
      operators.push(this.code() === AMP ? "&&" : "||");
      this.at += 2;
      this.skip(true);
      const next = this.pipeline();
      if (next === undefined) return undefined;
      commands.push(next);
    }
    return { type: "AndOr", pos: first.pos, end: commands[commands.length - 1]!.end, commands, operators };
  }

  private pipeline(): Command | Pipeline | undefined {
    const first = this.command();
    if (first === undefined || !this.piped()) return first;
    const commands = [first];
    const operators: "|"[] = [];
    while (this.piped()) {
      operators.push("|");
      this.at++;
      this.skip(true);
      const next = this.command();
      if (next === undefined) return undefined;
      commands.push(next);
    }
    return {
      type: "Pipeline",
      pos: first.pos,
      end: commands[commands.length - 1]!.end,
      prefixes: none,
      commands,
      operators,
    };
  }

  private command(): Command | undefined {
    const name = this.word();
    if (name === undefined || this.seen !== 0 || reserved.has(name.text) || this.isDescriptor(name)) return undefined;
    const suffix: (ReadWord | Redirect)[] = [];
    let { end } = name;
    for (;;) {
      this.skip(false);
      const item = this.item();
      if (item === undefined) return undefined;
      if (item === nothing) break;
      suffix.push(item);
      end = item.end;
    }
    return { type: "Command", pos: name.pos, end, name, prefix: none, suffix } as unknown as Command;
  }

  /** A word or a redirect; `nothing` where the command ends. */
  private item(): ReadWord | Redirect | typeof nothing | undefined {
    const c = this.code();
    if (c === LESS || c === MORE) return this.redirect(undefined);
    if (c === AMP && codeAt(this.text, this.at + 1) === MORE) return undefined;
    if (this.at === this.text.length || c === AMP || c === SEMI || c === PIPE || c === LINE) return nothing;
    const word = this.word();
    return word !== undefined && this.isDescriptor(word) ? this.redirect(word) : word;
  }

  /** `> file`, `>> file`, `< file`, `2>&1`. */
  private redirect(descriptor: ReadWord | undefined): Redirect | undefined {
    if (descriptor !== undefined && descriptor.text.length > 1) return undefined;
    const from = this.at;
    const less = this.code() === LESS;
    this.at++;
    const next = this.code();
    if (next === (less ? LESS : PIPE) || (less && (next === MORE || next === AMP))) return undefined;
    const operator = less ? "<" : next === MORE ? ">>" : next === AMP ? ">&" : ">";
    this.at = from + operator.length;
    this.skip(false);
    const target = this.word();
    if (!(target instanceof PlainWord) || this.isDescriptor(target)) return undefined;
    const { end } = target;
    if (descriptor === undefined) return { type: "Redirect", pos: from, end, operator, descriptor, target };
    const { pos } = descriptor;
    const value = descriptor.text.charCodeAt(0) - 48;
    const numbered = { type: "FileDescriptor" as const, pos, end: descriptor.end, value };
    return { type: "Redirect", pos, end, operator, descriptor: numbered, target };
  }

  private word(): ReadWord | undefined {
    const { text } = this;
    const from = this.at;
    let seen = 0;
    let at = plainEnd(text, from);
    while (at >= 0 && at < text.length) {
      const c = text.charCodeAt(at);
      const kind = c < 128 ? kinds[c]! : UNREAD;
      if (kind === ENDS) break;
      if (kind === UNREAD) return undefined;
      seen |= 1 << kind;
      at = plainEnd(text, kind === TILDE || kind === EQUALS || kind === GLOB ? at + 1 : this.past(kind, at));
    }
    if (at <= from) return undefined;
    this.at = at;
    this.seen = seen;
    return this.made(from, seen);
  }

  private made(pos: number, seen: number): ReadWord | undefined {
    const { text: source, at: end } = this;
    const text = source.slice(pos, end);
    if ((seen & expanded) !== 0) return (seen & partial) === 0 ? new QuotedWord(source, text, pos, end) : undefined;
    const value = (seen & escapes) === 0 ? text : text.replaceAll(/\\(.)/g, "$1");
    return new PlainWord(text, value, pos, end, (seen & ~equals) === 0);
  }

  /** Where what begins here is over; -1 where the parser has to say. */
  private past(kind: number, at: number): number {
    const { text } = this;
    if (kind === SINGLE) return text.indexOf("'", at + 1) + 1 || -1;
    if (kind === DOUBLE) return this.pastDouble(at + 1);
    if (kind === DOLLAR) return pastName(text, at + 1);
    if (kind === OPEN) return codeAt(text, at + 1) === CLOSE ? at + 2 : -1;
    const c = codeAt(text, at + 1);
    return c >= BLANK && c <= LAST ? at + 2 : -1;
  }

  private pastDouble(from: number): number {
    const { text } = this;
    for (let at = from; at < text.length; ) {
      const c = text.charCodeAt(at);
      const kind = c < 128 ? kinds[c]! : UNREAD;
      if (kind === DOUBLE) return at + 1;
      if (kind === ESCAPE || c === BACKTICK || c > LAST) return -1;
      at = kind === DOLLAR ? pastName(text, at + 1) : at + 1;
      if (at < 0) return -1;
    }
    return -1;
  }

  private code(): number {
    return codeAt(this.text, this.at);
  }

  /** `2` in `2>file`. */
  private isDescriptor(word: ReadWord): boolean {
    const c = this.code();
    return (c === LESS || c === MORE) && isDigits(word.text);
  }

  private doubled(): boolean {
    const c = this.code();
    return (c === AMP || c === PIPE) && codeAt(this.text, this.at + 1) === c;
  }

  private piped(): boolean {
    return this.code() === PIPE && codeAt(this.text, this.at + 1) !== PIPE;
  }

  private skip(lines: boolean): void {
    for (;;) {
      const c = this.code();
      if (c !== BLANK && c !== TAB && !(lines && c === LINE)) return;
      this.at++;
    }
  }
}

/** -1 behind the end: code compiled for `charCodeAt` is thrown away when that yields NaN. */
const codeAt = (text: string, at: number): number => (at < text.length ? text.charCodeAt(at) : -1);

/** Past characters that stand for themselves; a position that is none stays as it is. */
function plainEnd(text: string, from: number): number {
  let at = from;
  for (; at >= 0 && at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c > LAST || kinds[c] !== PLAIN) break;
  }
  return at;
}

/** Behind `$`: the end of a name; -1 where something else is expanded. */
function pastName(text: string, from: number): number {
  if (!isLetter(codeAt(text, from))) return -1;
  let end = from + 1;
  while (end < text.length && (isLetter(text.charCodeAt(end)) || isDigit(text.charCodeAt(end)))) end++;
  return end;
}

const isLetter = (c: number): boolean => (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95;
const isDigit = (c: number): boolean => c >= 48 && c <= 57;

function isDigits(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isDigit(text.charCodeAt(at))) return false;
  return true;
}
