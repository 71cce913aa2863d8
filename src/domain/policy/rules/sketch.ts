/**
 * What a text must look like for one of a list of patterns to fit it, in three numbers: most words are refused by these,
 * without a look at the patterns, which lie all over the memory.
 */

/** Characters by group, one bit each: letters without regard to case, common ones alone. */
const groups = [..."abcdefghiklmnoprstuvwy", "jqxz", "-", "/", ".", ":@", "=", "0123456789", "*+_"];
/** By character below 128; all other printable ones share the bit left over. */
const bits = Int32Array.from({ length: 128 }, (_, code) => {
  const group = groups.findIndex(letters => letters.includes(String.fromCharCode(code).toLowerCase()));
  return 1 << (group < 0 ? groups.length : group);
});
/** Beyond ASCII anything may turn into anything when its case is changed. */
const any = -1;

const bitOf = (code: number): number => (code < 128 ? bits[code]! : any);

/** Longer texts are not read through for this. */
const readMax = 128;

export class Sketch {
  /** What it may begin and end with. */
  #first = 0;
  #last = 0;
  /** What it must hold, wherever. */
  #all = any;

  /** One more pattern: the texts it holds in order, of which those at its ends may be empty. */
  protected sketch(first: string, middle: readonly string[], last: string): void {
    this.#first |= first === "" ? any : bitOf(first.charCodeAt(0));
    this.#last |= last === "" ? any : bitOf(last.charCodeAt(last.length - 1));
    this.#all &= held([first, ...middle, last]);
  }

  /** False where no pattern can fit. */
  protected mayFit(text: string): boolean {
    const { length } = text;
    if (length === 0) return this.#all === 0;
    if ((this.#first & bitOf(text.charCodeAt(0))) === 0) return false;
    if ((this.#last & bitOf(text.charCodeAt(length - 1))) === 0) return false;
    return length > readMax || this.#holdsAll(text);
  }

  #holdsAll(text: string): boolean {
    let missing = this.#all;
    for (let at = 0; missing !== 0 && at < text.length; at++) missing &= ~bitOf(text.charCodeAt(at));
    return missing === 0;
  }
}

function held(pieces: readonly string[]): number {
  let bits = 0;
  for (const char of pieces.join("")) if (char < "\u0080") bits |= bitOf(char.charCodeAt(0));
  return bits;
}
