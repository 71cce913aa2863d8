/** Expressions of `awk`, made into functions that work them out. */
import type { Awk } from "./awk.ts";
import { number, type Value } from "./awk-values.ts";
import { calls } from "./awk-functions.ts";
import { type Token, tokens, Unreadable } from "./awk-tokens.ts";

export type Expression = (a: Awk) => Value;

/** Of expressions and statements inside each other. */
const DEEPEST = 64;

/** What can be assigned to. */
interface Place {
  get: Expression;
  set(a: Awk, value: Value): void;
}

const math: Record<string, (x: number, y: number) => number> = {
  "+": (x, y) => x + y,
  "-": (x, y) => x - y,
  "*": (x, y) => x * y,
  "/": (x, y) => x / y,
  "%": (x, y) => x % y,
  "^": (x, y) => x ** y,
  "**": (x, y) => x ** y,
};
const orders: Record<string, (n: number) => boolean> = {
  "<": n => n < 0,
  "<=": n => n <= 0,
  "==": n => n === 0,
  "!=": n => n !== 0,
  ">": n => n > 0,
  ">=": n => n >= 0,
};

/** Reads expressions, from the loosest operator to the tightest. */
export class Expressions {
  protected readonly list: Token[];
  private readonly places = new WeakMap<Expression, Place>();
  protected at = 0;
  private depth = 0;
  /** Inside `print a > b` the sign is no comparison. */
  protected printing = false;

  constructor(source: string) {
    this.list = tokens(source);
  }

  protected get now(): Token {
    return this.list[this.at]!;
  }
  protected is(text: string): boolean {
    const { kind } = this.now;
    return this.now.text === text && (kind === "sign" || kind === "word");
  }
  protected take(text: string): boolean {
    const here = this.is(text);
    if (here) this.at++;
    return here;
  }
  protected expect(text: string): void {
    if (!this.take(text)) throw new Unreadable();
  }
  protected blank(): void {
    while (this.is("\n") || this.is(";")) this.at++;
  }
  protected lines(): void {
    while (this.is("\n")) this.at++;
  }

  /** Runs `read` one level deeper. */
  protected deeper<T>(read: () => T): T {
    if (++this.depth > DEEPEST) throw new Unreadable();
    const made = read();
    this.depth--;
    return made;
  }

  protected expressions(end: string): Expression[] {
    const out: Expression[] = [];
    if (end !== "" && this.take(end)) return out;
    do {
      this.lines();
      out.push(this.expression());
    } while (this.take(","));
    if (end !== "") this.expect(end);
    return out;
  }

  protected expression = (): Expression => this.deeper(() => this.plainExpression());

  private plainExpression(): Expression {
    const left = this.choice();
    const sign = this.now.kind === "sign" ? this.now.text : "";
    const place = this.places.get(left);
    if (!place || !/^[-+*/%^]?=$/.test(sign)) return left;
    this.at++;
    const right = this.expression();
    const by = sign === "=" ? undefined : math[sign[0]!]!;
    return a => {
      const value = by ? by(number(place.get(a)), number(right(a))) : right(a);
      place.set(a, value);
      return value;
    };
  }

  private choice(): Expression {
    const test = this.either();
    if (!this.take("?")) return test;
    const then = this.expression();
    this.expect(":");
    const otherwise = this.expression();
    return a => (a.holds(test(a)) ? then(a) : otherwise(a));
  }

  private either(): Expression {
    let left = this.both();
    while (this.take("||")) {
      this.lines();
      const [one, other] = [left, this.both()];
      left = a => Number(a.holds(one(a)) || a.holds(other(a)));
    }
    return left;
  }

  private both(): Expression {
    let left = this.membership();
    while (this.take("&&")) {
      this.lines();
      const [one, other] = [left, this.membership()];
      left = a => Number(a.holds(one(a)) && a.holds(other(a)));
    }
    return left;
  }

  private membership(): Expression {
    let left = this.match();
    while (this.take("in")) {
      const [key, array] = [left, this.list[this.at++]!.text];
      left = a => Number(a.array(array).has(a.text(key(a))));
    }
    return left;
  }

  private match(): Expression {
    const left = this.comparison();
    const not = this.is("!") && this.list[this.at + 1]?.text === "~";
    if (not) this.at++;
    if (!this.take("~")) return left;
    const right = this.pattern();
    return a => Number(a.find(right(a), a.text(left(a)), true).length > 0 !== not);
  }

  /** A regular expression, not matched yet: `/x/` or a text. */
  private pattern(): (a: Awk) => string {
    const { kind, text } = this.now;
    if (kind === "regex") {
      this.at++;
      return () => text;
    }
    const made = this.comparison();
    return a => a.text(made(a));
  }

  private comparison(): Expression {
    const left = this.concatenation();
    const sign = this.now.kind === "sign" ? this.now.text : "";
    const order = orders[sign];
    if (!order || (sign === ">" && this.printing)) return left;
    this.at++;
    const right = this.concatenation();
    return a => Number(order(a.compare(left(a), right(a))));
  }

  protected concatenation(): Expression {
    let left = this.sum();
    while (this.begins()) {
      const [one, other] = [left, this.sum()];
      left = a => a.joined(a.text(one(a)), a.text(other(a)));
    }
    return left;
  }

  private begins(): boolean {
    const { kind, text } = this.now;
    if (kind === "sign") return /^(\$|!|\(|\+\+|--)$/.test(text) && this.list[this.at + 1]?.text !== "~";
    return kind !== "word" && kind !== "end";
  }

  private chain(next: () => Expression, signs: RegExp): Expression {
    let left = next();
    while (this.now.kind === "sign" && signs.test(this.now.text)) {
      const by = math[this.list[this.at++]!.text]!;
      const [one, other] = [left, next()];
      left = a => by(number(one(a)), number(other(a)));
    }
    return left;
  }

  private sum = (): Expression => this.chain(this.product, /^[-+]$/);
  private product = (): Expression => this.chain(this.unary, /^[*/%]$/);

  private unary = (): Expression => this.deeper(() => this.plainUnary());

  private plainUnary(): Expression {
    for (const sign of ["!", "-", "+"])
      if (this.take(sign)) {
        const inner = this.unary();
        return a => (sign === "!" ? Number(!a.holds(inner(a))) : number(inner(a)) * (sign === "-" ? -1 : 1));
      }
    const base = this.postfix();
    if (!this.take("^") && !this.take("**")) return base;
    const power = this.unary();
    return a => number(base(a)) ** number(power(a));
  }

  private postfix(): Expression {
    for (const sign of ["++", "--"])
      if (this.take(sign)) return this.stepped(this.primary(), sign === "++" ? 1 : -1, false);
    const made = this.primary();
    for (const sign of ["++", "--"])
      if (this.places.has(made) && this.take(sign)) return this.stepped(made, sign === "++" ? 1 : -1, true);
    return made;
  }

  private stepped(of: Expression, by: number, after: boolean): Expression {
    const place = this.places.get(of);
    if (!place) throw new Unreadable();
    return a => {
      const before = number(place.get(a));
      place.set(a, before + by);
      return after ? before : before + by;
    };
  }

  private placed(place: Place): Expression {
    this.places.set(place.get, place);
    return place.get;
  }

  private primary(): Expression {
    const { kind, text } = this.now;
    this.at++;
    if (kind === "number") return () => Number(text);
    if (kind === "string") return () => text;
    if (kind === "regex") return a => Number(a.find(text, a.record, true).length > 0);
    if (kind === "call") return this.call(text);
    if (kind === "name") return this.named(text);
    if (kind === "sign" && text === "(") return this.group();
    if (kind !== "sign" || text !== "$") throw new Unreadable();
    const index = this.is("++") || this.is("--") ? this.postfix() : this.primary();
    return this.placed({ get: a => a.field(number(index(a))), set: (a, v) => a.setField(number(index(a)), a.text(v)) });
  }

  /** `(a)`, `(a, b) in array`. */
  private group(): Expression {
    const { printing } = this;
    this.printing = false;
    const list = this.expressions(")");
    this.printing = printing;
    if (list.length === 1) return a => list[0]!(a);
    return a => list.map(one => a.text(one(a))).join("\x1c");
  }

  private named(name: string): Expression {
    if (!this.take("[")) return this.placed({ get: a => a.variable(name), set: (a, v) => a.assign(name, v) });
    const keys = this.expressions("]");
    const key = (a: Awk): string => keys.map(one => a.text(one(a))).join("\x1c");
    return this.placed({ get: a => a.item(name, key(a)), set: (a, v) => a.setItem(name, key(a), v) });
  }

  private call(name: string): Expression {
    const run = calls.get(name);
    if (!run) throw new Unreadable();
    const { printing } = this;
    this.printing = false;
    const given: Expression[] = [];
    const places: (Place | undefined)[] = [];
    const texts: (string | undefined)[] = [];
    if (this.take("("))
      while (!this.take(")")) {
        const { kind, text } = this.now;
        const next = this.list[this.at + 1]?.text;
        const bare = (kind === "regex" || kind === "name") && (next === "," || next === ")");
        texts.push(bare ? text : undefined);
        const made = this.expression();
        given.push(bare && kind === "regex" ? () => text : made);
        places.push(this.places.get(made));
        this.take(",");
      }
    this.printing = printing;
    return a => run(a, { given, names: texts, set: (i, value) => places[i]?.set(a, value) });
  }
}
