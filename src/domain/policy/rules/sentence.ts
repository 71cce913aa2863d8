/** What a rule says it is about, with places for what a call fills in: taken apart once, put together for each match. */
export const placeholders = ["path", "host", "ref", "env", "tool", "program"] as const;
export type Placeholder = (typeof placeholders)[number];

const place = new RegExp(`\\{(${placeholders.join("|")})\\}`);

export class Sentence {
  /** Text, name, text, name, … text. */
  readonly #parts: readonly string[];

  constructor(source: string) {
    this.#parts = source.split(place);
  }

  with(value: (name: Placeholder) => string): string {
    const parts = this.#parts;
    let sentence = parts[0]!;
    for (let at = 1; at < parts.length; at += 2) sentence += value(parts[at] as Placeholder) + parts[at + 1]!;
    return sentence;
  }
}
