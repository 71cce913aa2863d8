/**
 * A value that does not print: not in a template, not as JSON, not in an inspection. Only `reveal()` gives it away,
 * so that a reader sees every place where it leaves.
 */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return "[secret]";
  }
  toJSON(): string {
    return "[secret]";
  }
  /** node:util, Bun and Deno look inspection up under these names. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return "[secret]";
  }
  [Symbol.for("Deno.customInspect")](): string {
    return "[secret]";
  }
}
