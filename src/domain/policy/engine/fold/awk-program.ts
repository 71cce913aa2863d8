/** `awk` programs, made into functions that run them (POSIX awk without functions of one's own and `getline`). */
import type { Awk } from "./awk.ts";
import { formatted } from "./awk-values.ts";
import { type Expression, Expressions } from "./awk-expressions.ts";

/** How a statement ended, where it did not just go on. */
export type Signal = "next" | "exit" | "break" | "continue" | undefined;
export type Statement = (a: Awk) => Signal;

export interface Rule {
  when: "BEGIN" | "END" | Expression | undefined;
  does: Statement | undefined;
}

export class Parser extends Expressions {
  rules(): Rule[] {
    const out: Rule[] = [];
    for (this.blank(); this.now.kind !== "end"; this.blank()) {
      const special = this.is("BEGIN") || this.is("END") ? (this.list[this.at++]!.text as "BEGIN" | "END") : undefined;
      const when = special ?? (this.is("{") ? undefined : this.expression());
      out.push({ when, does: this.is("{") ? this.block() : undefined });
    }
    return out;
  }

  private block(): Statement {
    this.expect("{");
    const list: Statement[] = [];
    for (this.blank(); !this.take("}"); this.blank()) list.push(this.statement());
    return a => {
      for (const one of list) {
        const signal = one(a);
        if (signal) return signal;
      }
      return undefined;
    };
  }

  private body(): Statement {
    this.lines();
    if (this.take(";")) return () => undefined;
    return this.is("{") ? this.block() : this.statement();
  }

  private statement = (): Statement => this.deeper(() => this.plainStatement());

  private plainStatement(): Statement {
    if (this.is("{")) return this.block();
    if (this.take("if")) return this.conditional();
    if (this.take("while")) {
      this.expect("(");
      const test = this.expression();
      this.expect(")");
      return loop(undefined, test, undefined, this.body());
    }
    if (this.take("for")) return this.counted();
    for (const signal of ["next", "break", "continue"] as const) if (this.take(signal)) return () => signal;
    if (this.take("exit")) {
      if (!this.is(";") && !this.is("}") && !this.is("\n")) this.expression();
      return () => "exit";
    }
    if (this.is("print") || this.is("printf")) return this.print();
    if (this.take("delete")) return this.removed();
    const does = this.expression();
    return a => void does(a);
  }

  private conditional(): Statement {
    this.expect("(");
    const test = this.expression();
    this.expect(")");
    const then = this.body();
    const from = this.at;
    this.blank();
    const otherwise = this.take("else") ? this.body() : undefined;
    if (!otherwise) this.at = from;
    return a => (a.holds(test(a)) ? then(a) : otherwise?.(a));
  }

  private counted(): Statement {
    this.expect("(");
    const [name, inside] = [this.now, this.list[this.at + 1]];
    if (name.kind === "name" && inside?.text === "in" && this.list[this.at + 3]?.text === ")") {
      const array = this.list[this.at + 2]!.text;
      this.at += 4;
      const each = this.body();
      return a => {
        for (const key of [...a.array(array).keys()]) {
          a.vars.set(name.text, key);
          const signal = each(a);
          if (signal === "break") break;
          if (signal && signal !== "continue") return signal;
        }
        return undefined;
      };
    }
    const first = this.is(";") ? undefined : this.expression();
    this.expect(";");
    const test = this.is(";") ? undefined : this.expression();
    this.expect(";");
    const update = this.is(")") ? undefined : this.expression();
    this.expect(")");
    return loop(first, test, update, this.body());
  }

  private removed(): Statement {
    const name = this.list[this.at++]!.text;
    if (!this.take("[")) return a => void a.array(name).clear();
    const key = this.expression();
    this.expect("]");
    return a => void a.array(name).delete(a.text(key(a)));
  }

  private print(): Statement {
    const verb = this.list[this.at++]!.text;
    const from = this.at;
    // `print("a", "b") | "sh"`: parentheses around the whole list.
    let list = this.take("(") ? this.expressions(")") : undefined;
    this.printing = true;
    if (!list || !this.endsPrint()) {
      this.at = from;
      list = this.endsPrint() ? [] : this.expressions("");
    }
    const items = list;
    this.printing = false;
    const to = ["|", ">>", ">"].find(sign => this.take(sign));
    const target = to === undefined ? undefined : this.concatenation();
    return a => {
      const said = items.map(one => a.text(one(a)));
      const text =
        verb === "printf"
          ? formatted(said)
          : `${(said.length > 0 ? said : [a.record]).join(a.string("OFS", " "))}${a.string("ORS", "\n")}`;
      if (target === undefined) a.print(text);
      else if (to === "|") a.pipe(a.text(target(a)), text);
      return undefined;
    };
  }

  private endsPrint = (): boolean => /^(;|\n|\}|\||>|>>|)$/.test(this.now.text) && this.now.kind !== "string";
}

function loop(
  first: Expression | undefined,
  test: Expression | undefined,
  update: Expression | undefined,
  body: Statement,
): Statement {
  return a => {
    first?.(a);
    while (test === undefined || a.holds(test(a))) {
      a.work(128);
      const signal = body(a);
      if (signal === "break") break;
      if (signal && signal !== "continue") return signal;
      update?.(a);
    }
    return undefined;
  };
}
