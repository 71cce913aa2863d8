/**
 * Texts of which every match of an RE2 holds one: looking for these costs a hundredth of the RE2 itself, and most
 * words hold none. Only what is plain to see is read; anything else leaves the pattern without such texts.
 */
interface Known {
  /** Every text it can match, where these are few. */
  exact?: string[];
  /** One of these is in every match. */
  held?: string[];
}

const textsMax = 32;
const unknown: Known = {};
const empty: Known = { exact: [""] };

/** Undefined where nothing is known. In lower case where the pattern begins with `(?i)`. */
export function requiredTexts(source: string): string[] | undefined {
  if (/[^ -~]/.test(source)) return undefined;
  const fold = source.startsWith("(?i)");
  const reader = new Reader(fold ? source.slice(4) : source);
  const held = best(reader.alternatives());
  if (held === undefined || !reader.read) return undefined;
  const texts = fold ? held.map(text => text.toLowerCase()) : held;
  return texts.filter(text => !texts.some(other => other !== text && text.includes(other)));
}

class Reader {
  readonly #source: string;
  #at = 0;
  #lost = false;

  constructor(source: string) {
    this.#source = source;
  }

  /** It was understood to its end. */
  get read(): boolean {
    return !this.#lost && this.#at === this.#source.length;
  }

  get #next(): string {
    return this.#source[this.#at] ?? "";
  }

  #takes(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  alternatives(): Known {
    const all = [this.#sequence()];
    while (this.#takes("|")) all.push(this.#sequence());
    return all.length === 1 ? all[0]! : either(all);
  }

  #sequence(): Known {
    const parts: Known[] = [];
    while (!this.#lost && this.#next !== "" && this.#next !== "|" && this.#next !== ")") {
      parts.push(this.#repeated(this.#atom()));
    }
    return joined(parts);
  }

  #atom(): Known {
    const char = this.#next;
    this.#at++;
    if (char === "(") return this.#group();
    if (char === "[") return this.#class();
    if (char === "\\") return this.#escape();
    if (char === ".") return unknown;
    return char === "^" || char === "$" ? empty : { exact: [char] };
  }

  #group(): Known {
    if (this.#next === "?" && !this.#takes("?:")) this.#lost = true;
    const inside = this.alternatives();
    if (!this.#takes(")")) this.#lost = true;
    return inside;
  }

  /** A few characters as they stand; ranges, classes and what is left out are not listed. */
  #class(): Known {
    const rest = this.#source.slice(this.#at);
    const whole = /^\^?\]?(\\.|\[:\^?\w+:\]|[^\]\\])*\]/.exec(rest)?.[0];
    if (whole === undefined) {
      this.#lost = true;
      return unknown;
    }
    this.#at += whole.length;
    const inside = whole.slice(0, -1);
    return /^(?!.*\[:)[^^\]\\-]+$/.test(inside) ? few([...inside]) : unknown;
  }

  #escape(): Known {
    const char = this.#next;
    this.#at++;
    if (char === "s") return { exact: [..."\t\n\f\r "] };
    if (/[bBAz]/.test(char)) return empty;
    if (/[dDwWS]/.test(char)) return unknown;
    if (/[^\w]/.test(char)) return { exact: [char] };
    this.#lost = true;
    return unknown;
  }

  #repeated(known: Known): Known {
    const [whole = "", sign = "", least = "", , most] =
      /^([*+?]|\{(\d+)(,(\d*))?\})\??/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += whole.length;
    if (sign === "") return known;
    if (sign === "?") return known.exact ? few([...known.exact, ""]) : unknown;
    if (sign === "*" || (sign !== "+" && Number(least) === 0)) return unknown;
    if (sign === "+" || most === "") return atLeastOnce(known);
    return times(known, Number(least), Number(most ?? least));
  }
}

const few = (exact: string[]): Known => (exact.length <= textsMax ? { exact } : unknown);

/** What a repetition without end still holds. */
function atLeastOnce(known: Known): Known {
  const held = best(known);
  return held ? { held } : unknown;
}

const timesMax = 3;

function times(known: Known, least: number, most: number): Known {
  if (most > timesMax) return atLeastOnce(known);
  const counts = Array.from({ length: most - least + 1 }, (_, more) => least + more);
  const listed = either(counts.map(count => joined(Array.from({ length: count }, () => known))));
  return listed.exact ? listed : atLeastOnce(known);
}

function either(all: Known[]): Known {
  const exact = all.flatMap(known => known.exact ?? []);
  if (all.every(known => known.exact) && exact.length <= textsMax) return { exact };
  const held = all.map(best);
  if (held.includes(undefined)) return unknown;
  const texts = held.flatMap(one => one ?? []);
  return texts.length <= textsMax ? { held: texts } : unknown;
}

/** One after another: what can be listed is put together, of what lies between the most telling is kept. */
function joined(parts: Known[]): Known {
  let held: string[] | undefined;
  let run: string[] = [""];
  let whole = true;
  for (const { exact, held: inside } of parts) {
    if (exact && run.length * exact.length <= textsMax) {
      run = run.flatMap(head => exact.map(tail => head + tail));
      continue;
    }
    held = moreTelling(moreTelling(held, run), inside);
    run = exact ?? [""];
    whole = false;
  }
  return whole ? { exact: run } : { held: moreTelling(held, run) ?? [""] };
}

const best = ({ exact, held }: Known): string[] | undefined => moreTelling(exact, held);

const shortest = (texts: readonly string[]): number => Math.min(...texts.map(text => text.length));

/** Long texts are rare; a list with an empty one says nothing. */
function moreTelling(one: string[] | undefined, other: string[] | undefined): string[] | undefined {
  const [first, second] = [one, other].map(texts => (texts && shortest(texts) > 0 ? texts : undefined));
  if (!first || !second) return first ?? second;
  return shortest(second) > shortest(first) ? second : first;
}
