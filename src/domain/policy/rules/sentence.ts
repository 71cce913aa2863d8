/** What a rule says it is about, with places for what a call fills in: taken apart once, put together for each match. */
export const placeholders = ["path", "host", "ref", "env", "tool", "program"] as const;
export type Placeholder = (typeof placeholders)[number];

/** Said where a fact does not carry the value. */
const unnamed: Record<Placeholder, string> = {
  path: "a file",
  host: "another machine",
  ref: "a branch",
  env: "a variable",
  tool: "a tool",
  program: "a program",
};

/** What a text already says the value is: "deletes tag {ref}" is then "deletes a tag". */
const kind = /(?:the )?((?:raw )?device|(?:shared )?branch(?: or tag)?|tag) $/;

const withoutName = (before: string, name: Placeholder): string =>
  kind.test(before) ? before.replace(kind, "a $1") : before + unnamed[name];

const place = new RegExp(`\\{(${placeholders.join("|")})\\}`);

export class Sentence {
  /** Text, name, text, name, … text. */
  readonly #parts: readonly string[];

  constructor(source: string) {
    this.#parts = source.split(place);
  }

  with(value: (name: Placeholder) => string | undefined): string {
    const parts = this.#parts;
    let sentence = parts[0]!;
    for (let at = 1; at < parts.length; at += 2) {
      const name = parts[at] as Placeholder;
      const given = value(name);
      sentence = (given === undefined ? withoutName(sentence, name) : sentence + given) + parts[at + 1]!;
    }
    return sentence;
  }
}
