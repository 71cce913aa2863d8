import { limits } from "../limits.ts";
import { Exhausted } from "../run/machine.ts";

/** Ends the evaluation before a text is built that is longer than any that is held. */
export function sized(chars: number): void {
  if (chars > limits.text) throw new Exhausted("too_many_steps");
}

export function joinedBy(pieces: readonly string[], by: string): string {
  sized(pieces.reduce((chars, piece) => chars + piece.length + by.length, 0));
  return pieces.join(by);
}

/** Every `from`, which is not empty, as `to`. */
export const replacedBy = (text: string, from: string, to: string): string => joinedBy(text.split(from), to);
