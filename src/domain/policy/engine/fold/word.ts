/** Words of a command into fields, as bash expands them: in one pass (`quick.ts`) or part by part (`Builder`). */
import type { DoubleQuotedChild, Word, WordPart } from "unbash";
import { hole } from "../../facts.ts";
import { limits } from "../limits.ts";
import { capture, substitute } from "../run/capture.ts";
import type { Machine } from "../run/machine.ts";
import { isPlain, QuotedWord } from "../plain-word.ts";
import { EMPTY, type Field, join, literal, type Origin, overlong, unknown, type Val } from "../value.ts";
import { decodeEscapes } from "./ansi-c.ts";
import { arithmetic } from "./arithmetic.ts";
import { expandBraces } from "./brace.ts";
import { integral } from "./integral.ts";
import { parameter, simple } from "./parameter.ts";
import { type Piece, plainLength, quickPieces } from "./quick.ts";

const TILDE = 126;

/** Expands words as bash does before running a command: braces, tilde, parameters, substitutions, splitting. */
export function expandWords(m: Machine, words: readonly Word[]): Field[] {
  const out: Field[] = [];
  for (const w of words) expandWord(m, w, out);
  return out;
}

export function expandWord(m: Machine, w: Word, out: Field[]): void {
  if (quick(m, w, out, true)) return;
  const { parts } = w;
  if (parts === undefined) {
    out.push(plain(m, w));
    return;
  }
  m.step();
  if (parts.some(isBrace)) {
    for (const one of expandBraces(m, w.text)) m.based(m.span(w.pos, w.end), () => expandParts(m, one, out));
    return;
  }
  expandParts(m, w, out);
}

/** All expansions but that of braces, which comes first and only once. */
function expandParts(m: Machine, w: Word, out: Field[]): void {
  const { parts } = w;
  if (parts === undefined) {
    out.push(plain(m, w));
    return;
  }
  const builder = new Builder(m, w, out, true);
  for (const part of parts) builder.part(part);
  builder.end();
}

/** Expands to exactly one field: assignments, redirect targets, `case` words, here-strings. */
export function expandOne(m: Machine, w: Word): Field {
  const out: Field[] = [];
  if (quick(m, w, out, false)) return out[0] ?? { ...EMPTY, span: m.span(w.pos, w.end), glob: false };
  if (w.parts === undefined) return plain(m, w);
  m.step();
  const builder = new Builder(m, w, out, false);
  for (const part of w.parts) builder.part(part);
  builder.end();
  return out[0] ?? { ...EMPTY, span: m.span(w.pos, w.end), glob: false };
}

/** True when the word could be expanded without being taken apart by the parser. */
function quick(m: Machine, w: Word, out: Field[], splits: boolean): boolean {
  const length = isPlain(w) ? w.text.length : plainLength(integral(w).text);
  if (length === w.text.length) {
    out.push({ text: w.text, known: true, span: m.span(w.pos, w.end), taint: 0, origin: undefined, glob: false });
    return true;
  }
  const pieces = quickPieces(w, length, w instanceof QuotedWord);
  if (pieces === undefined) return false;
  const [only] = pieces;
  if (pieces.length === 1 && !only!.name) {
    m.step();
    const { text, glob } = only!;
    out.push({ text, known: true, span: m.span(w.pos, w.end), taint: 0, origin: undefined, glob });
    return true;
  }
  if (pieces.length === 0) return false;
  m.step();
  const builder = new Builder(m, w, out, splits);
  for (const piece of pieces) builder.piece(piece);
  builder.end();
  return true;
}

const isBrace = (part: WordPart): boolean => part.type === "BraceExpansion";

function plain(m: Machine, w: Word): Field {
  const text = w.text.charCodeAt(0) === TILDE ? tilde(m, w.value) : w.value;
  const known = m.holed === undefined || !text.includes(hole);
  return {
    text,
    known,
    span: m.span(w.pos, w.end),
    taint: known ? 0 : m.holed!.taint,
    origin: known ? undefined : m.holed!.origin,
    glob: false,
  };
}

/** `~+` and `~-` are directories of this shell; every other tilde names a home and is left to the places. */
function tilde(m: Machine, text: string): string {
  if (text.charCodeAt(1) === 43) return m.here + text.slice(2);
  return text;
}

/** Text of parts in double quotes or a here-document: no splitting, no globs. */
export function expandQuoted(m: Machine, parts: readonly (DoubleQuotedChild | WordPart)[]): Val {
  const out: Field[] = [];
  const builder = new Builder(m, undefined, out, false);
  for (const part of parts) builder.quoted(part);
  builder.end();
  const one = out[0];
  return one ? { text: one.text, known: one.known, taint: one.taint, origin: one.origin } : EMPTY;
}

/** `@(m)` is `m`, everything else anything: rules about places know no alternatives. */
const plainGlob = (text: string): string => /^@\(([^()|]*)\)$/.exec(text)?.[1] ?? "*";

class Builder {
  private text = "";
  private known = true;
  private taint = 0;
  private origin: Origin | undefined;
  private glob = false;
  private open = false;
  private readonly m: Machine;
  private readonly word: Word | undefined;
  private readonly out: Field[];
  private readonly splits: boolean;

  constructor(m: Machine, word: Word | undefined, out: Field[], splits: boolean) {
    this.m = m;
    this.word = word;
    this.out = out;
    this.splits = splits;
  }

  part(part: WordPart): void {
    switch (part.type) {
      case "Literal":
        this.add(this.first(part.pos) && part.text.charCodeAt(0) === TILDE ? tilde(this.m, part.value) : part.value);
        return;
      case "Glob":
        this.glob = true;
        this.add(part.text);
        return;
      case "ExtendedGlob":
        this.glob = true;
        this.add(this.splits ? plainGlob(part.text) : part.text);
        return;
      case "SingleQuoted":
        this.add(part.value);
        return;
      case "AnsiCQuoted":
        this.add(decodeEscapes(part.text.slice(2, -1)));
        return;
      case "DoubleQuoted":
      case "LocaleString":
        this.open ||= !isOnlyList(part.parts);
        for (const child of part.parts) this.quoted(child);
        return;
      case "BraceExpansion":
        this.add(part.text);
        return;
      default:
        this.unquotedValues(this.values(part, false));
    }
  }

  quoted(part: DoubleQuotedChild | WordPart): void {
    if (part.type === "Literal") this.add(part.value);
    else this.quotedValues(this.values(part, true));
  }

  piece(piece: Piece): void {
    if (piece.glob) this.glob = true;
    if (!piece.name) this.add(piece.text);
    else {
      const values = this.list(simple(this.m, piece.text, piece.quoted));
      if (piece.quoted) this.quotedValues(values);
      else this.unquotedValues(values);
    }
  }

  private quotedValues(values: readonly Val[]): void {
    for (let i = 0; i < values.length; i++) {
      if (i > 0) this.cut();
      this.value(values[i]!);
    }
    if (values.length > 0) this.open = true;
  }

  private unquotedValues(values: readonly Val[]): void {
    for (let i = 0; i < values.length; i++) {
      if (i > 0) this.cut();
      this.unquoted(values[i]!);
    }
  }

  private first(pos: number): boolean {
    return this.word !== undefined && this.word.pos === pos;
  }

  /** The values a part stands for; more than one only for `$@`, `${a[@]}` and the like. */
  private values(part: WordPart | DoubleQuotedChild, quoted: boolean): readonly Val[] {
    const { m } = this;
    switch (part.type) {
      case "SimpleExpansion":
        return this.list(simple(m, part.text, quoted));
      case "ParameterExpansion":
        return this.list(parameter(m, part, quoted));
      case "CommandExpansion":
        return [part.script ? capture(m, part.script) : unknown()];
      case "ArithmeticExpansion":
        return [arithmetic(m, part.expression)];
      case "ProcessSubstitution":
        return [part.script ? substitute(m, part.script, part.operator) : unknown()];
      default:
        return [literal(part.text)];
    }
  }

  private list(values: readonly Val[]): readonly Val[] {
    return this.splits || values.length < 2 ? values : [join(values, " ")];
  }

  private add(text: string): void {
    this.open = true;
    if (this.text.length + text.length > limits.text) return this.value(overlong(0, undefined));
    this.text += text;
    if (this.m.holed !== undefined && text.includes(hole)) {
      this.known = false;
      this.taint |= this.m.holed.taint;
      this.origin ??= this.m.holed.origin;
    }
  }

  private value(v: Val): void {
    this.taint |= v.taint;
    this.origin ??= v.origin;
    if (v.known) {
      if (v.text !== "") this.add(v.text);
      return;
    }
    this.known = false;
    this.open = true;
    this.text = this.text.length + v.text.length > limits.text ? hole : this.text + v.text;
  }

  /** Adds a value that is subject to field splitting by IFS and to globbing. */
  private unquoted(v: Val): void {
    if (!v.known || !this.splits) {
      this.value(v);
      return;
    }
    const ifs = this.m.state.get("IFS")?.text ?? " \t\n";
    const { text } = v;
    this.m.work(text.length);
    let from = 0;
    for (let i = 0; i <= text.length; i++) {
      if (i < text.length && !ifs.includes(text[i]!)) continue;
      if (i > from) this.value(from === 0 && i === text.length ? v : { ...v, text: text.slice(from, i) });
      else this.taint |= v.taint;
      if (i < text.length) this.cut();
      from = i + 1;
    }
    if (/[*?[]/.test(text)) this.glob = true;
  }

  private cut(): void {
    this.end();
    if (this.out.length > limits.fields) this.m.step(limits.steps);
  }

  end(): void {
    if (this.open) {
      const { m, word } = this;
      this.out.push({
        text: this.text,
        known: this.known,
        span: word ? m.span(word.pos, word.end) : (m.base ?? [0, 0]),
        taint: this.taint,
        origin: this.origin,
        glob: this.glob,
      });
    }
    this.text = "";
    this.known = true;
    this.taint = 0;
    this.origin = undefined;
    this.glob = this.open = false;
  }
}

/** `"$@"` alone in quotes yields no field at all when there are no positional parameters. */
function isOnlyList(parts: readonly DoubleQuotedChild[]): boolean {
  if (parts.length !== 1) return false;
  const only = parts[0]!;
  if (only.type === "SimpleExpansion") return only.text === "$@";
  return only.type === "ParameterExpansion" && (only.parameter === "@" || only.index?.value === "@");
}
