/** `dc` programs that print texts: numbers as the bytes they are made of, texts in brackets. */
type Item = bigint | string;

const token = /\s*(?:_?[0-9A-F]+|\[[^[\]]*\]|[-+*/%^pnPafdrcziIoOkK])/y;
const MOST = 512;

/** The text whose bytes make a number. */
function spelled(n: bigint): string {
  let out = "";
  for (let rest = n; rest > 0n; rest >>= 8n) out = String.fromCharCode(Number(rest & 255n)) + out;
  return out;
}

/** A number as written, in a base. */
function numberOf(text: string, base: bigint): bigint {
  const digits = text.replace("_", "");
  let n = 0n;
  for (const digit of digits) n = n * base + BigInt(Number.parseInt(digit, 16));
  return text.startsWith("_") ? -n : n;
}

const math: Record<string, (x: bigint, y: bigint) => bigint> = {
  "+": (x, y) => x + y,
  "-": (x, y) => x - y,
  "*": (x, y) => x * y,
  "/": (x, y) => (y === 0n ? 0n : x / y),
  "%": (x, y) => (y === 0n ? 0n : x % y),
  "^": (x, y) => x ** (y < 0n || y > 256n ? 0n : y),
};

class Calculator {
  readonly stack: Item[] = [];
  private input = 10n;
  private output = 10n;
  out = "";

  private shown = (item: Item | undefined): string =>
    item === undefined ? "" : typeof item === "string" ? item : item.toString(Number(this.output)).toUpperCase();

  private number(): bigint {
    const item = this.stack.pop();
    return typeof item === "bigint" ? item : 0n;
  }

  run(word: string): void {
    const { stack } = this;
    if (/^_?[0-9A-F]/.test(word)) stack.push(numberOf(word, this.input));
    else if (word[0] === "[") stack.push(word.slice(1, -1));
    else if (math[word]) {
      const right = this.number();
      stack.push(math[word](this.number(), right));
    } else this.command(word);
  }

  private command(word: string): void {
    const { stack } = this;
    const top = stack.at(-1);
    if (word === "p") this.out += `${this.shown(top)}\n`;
    else if (word === "n") this.out += this.shown(stack.pop());
    else if (word === "P") this.out += typeof top === "bigint" ? spelled(this.number()) : (stack.pop() ?? "");
    else if (word === "a")
      stack.push(typeof top === "string" ? (stack.pop() as string).slice(0, 1) : spelled(this.number() & 255n));
    else if (word === "f")
      this.out += [...stack]
        .reverse()
        .map(item => `${this.shown(item)}\n`)
        .join("");
    else if (word === "d" && top !== undefined) stack.push(top);
    else if (word === "r") stack.push(...stack.splice(-2).reverse());
    else if (word === "c") stack.length = 0;
    else if (word === "z") stack.push(BigInt(stack.length));
    else if (word === "i") this.input = based(this.number(), 16n);
    else if (word === "o") this.output = based(this.number(), 36n);
    else if (word === "k") stack.pop();
  }
}

const based = (n: bigint, most: bigint): bigint => (n < 2n || n > most ? 10n : n);

/** What `dc` prints for its programs; undefined: not to be told. */
export function dc(source: string): string | undefined {
  if (source.length > 8192) return undefined;
  const c = new Calculator();
  token.lastIndex = 0;
  for (let words = 0; source.slice(token.lastIndex).trim() !== ""; words++) {
    const found = words < MOST ? token.exec(source) : null;
    if (!found) return undefined;
    c.run(found[0].trim());
  }
  return c.out;
}
