/** Texts the evaluation holds, with what is known of them: `Val` anywhere, `Field` at a place in the command. */
import { hole, type Span, type Word } from "../facts.ts";
import { limits } from "./limits.ts";
import { UNKNOWN } from "./taint.ts";

/** Where tainted data was first seen: the host it came from, the file it was read from. */
export interface Origin {
  host?: Word;
  path?: Word;
}

/** A text the evaluation holds: a variable, the output of a command, the contents of a file. */
export interface Val {
  text: string;
  known: boolean;
  taint: number;
  origin: Origin | undefined;
}

/** One word after folding and splitting; a `Word` that also carries taint. */
export interface Field extends Word {
  taint: number;
  origin: Origin | undefined;
  /** Holds live (unquoted) glob characters. */
  glob: boolean;
  span: Span;
}

export const EMPTY: Val = { text: "", known: true, taint: 0, origin: undefined };

export const literal = (text: string): Val => ({ text, known: true, taint: 0, origin: undefined });

const anything: Val = { text: hole, known: false, taint: UNKNOWN, origin: undefined };

export const unknown = (taint = UNKNOWN, origin?: Origin): Val =>
  taint === UNKNOWN && origin === undefined ? anything : { text: hole, known: false, taint, origin };

export const tainted = (text: string, known: boolean, taint: number, origin: Origin | undefined): Val => ({
  text,
  known,
  taint,
  origin,
});

/** A text longer than is held: nobody looks into it, so it may be anything. */
export const overlong = (taint: number, origin: Origin | undefined): Val => unknown(taint | UNKNOWN, origin);

export function concat(a: Val, b: Val): Val {
  if (a === EMPTY) return b;
  if (b === EMPTY) return a;
  if (a.text.length + b.text.length > limits.text) return overlong(a.taint | b.taint, a.origin ?? b.origin);
  return tainted(a.text + b.text, a.known && b.known, a.taint | b.taint, a.origin ?? b.origin);
}

export function join(values: readonly Val[], by: string): Val {
  if (values.length === 0) return EMPTY;
  if (values.length === 1) return values[0]!;
  let all = values[0]!;
  for (let i = 1; i < values.length; i++) all = concat(concat(all, literal(by)), values[i]!);
  return all;
}

export const field = (v: Val, span: Span, glob = false): Field => ({
  text: v.text,
  known: v.known,
  span,
  taint: v.taint,
  origin: v.origin,
  glob,
});

/** What is left of a text when the parts that could not be resolved are taken out. */
export const bareText = (v: { text: string; known: boolean }): string =>
  v.known ? v.text : v.text.replaceAll(hole, "");

/** The fact-side view of a field: what may leave the engine. */
export const word = (f: Field): Word => ({ text: f.text, known: f.known, span: f.span });

export const merged = (values: readonly Val[]): { taint: number; origin: Origin | undefined } => {
  let taint = 0;
  let origin: Origin | undefined;
  for (const v of values) {
    taint |= v.taint;
    origin ??= v.origin;
  }
  return { taint, origin };
};
