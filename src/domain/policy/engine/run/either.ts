/**
 * Of several branches only one prints: `$(test x && echo a || echo b)`. First all of their output counts, as one text;
 * then whatever depends on it runs once more for each.
 */
import { concat, EMPTY, type Val } from "../value.ts";
import type { Machine } from "./machine.ts";

const MAX_CHOICES = 16;

/** What branches print: that of the chosen one, or all of it. */
export function eitherOf(m: Machine, outputs: readonly Val[]): Val {
  if (outputs.length < 2) return outputs[0] ?? EMPTY;
  m.branched = Math.max(m.branched, Math.min(outputs.length, MAX_CHOICES));
  if (m.choice !== undefined) return outputs[Math.min(m.choice, outputs.length - 1)]!;
  return outputs.reduce(concat, EMPTY);
}
