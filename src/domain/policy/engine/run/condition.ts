/** What `[ … ]` and `[[ … ]]` answer where every word is known: loops turn by it, and what `&&` guards may never happen. */
import type { TestExpression, Word } from "unbash";
import { matches } from "../fold/pattern.ts";

export interface Known {
  text: string;
  known: boolean;
}

/** Undefined: nobody can tell from the text alone. */
export type Answer = boolean | undefined;

const compares: Record<string, (a: number, b: number) => boolean> = {
  "-eq": (a, b) => a === b,
  "-ne": (a, b) => a !== b,
  "-lt": (a, b) => a < b,
  "-le": (a, b) => a <= b,
  "-gt": (a, b) => a > b,
  "-ge": (a, b) => a >= b,
};

/** `-eq` and the like: both sides are arithmetic. */
export const comparesNumbers = (operator: string): boolean => Object.hasOwn(compares, operator);

export function binary(a: Known, operator: string, b: Known, pattern = false): Answer {
  if (!a.known || !b.known) return undefined;
  if (operator === "=" || operator === "==") return pattern ? matches(b.text, a.text) : a.text === b.text;
  if (operator === "!=") return pattern ? !matches(b.text, a.text) : a.text !== b.text;
  const compare = compares[operator];
  const [x, y] = [Number(a.text), Number(b.text)];
  return compare && a.text !== "" && !Number.isNaN(x) && !Number.isNaN(y) ? compare(x, y) : undefined;
}

export function unary(operator: string, a: Known): Answer {
  if (!a.known) return undefined;
  if (operator === "-n") return a.text !== "";
  return operator === "-z" ? a.text === "" : undefined;
}

/** The words of `test` or `[`, without the closing bracket. */
export function tested(words: readonly Known[]): Answer {
  const [a, b, c] = words;
  if (words.length === 1) return a!.known ? a!.text !== "" : undefined;
  if (words.length > 1 && a!.text === "!") return not(tested(words.slice(1)));
  if (words.length === 2) return unary(a!.text, b!);
  return words.length === 3 ? binary(a!, b!.text, c!) : undefined;
}

export const not = (answer: Answer): Answer => (answer === undefined ? undefined : !answer);

/** `[[ … ]]`, its words expanded by `expanded`. */
export function holds(e: TestExpression, expanded: (w: Word) => Known): Answer {
  if (e.type === "TestUnary") return unary(e.operator, expanded(e.operand));
  if (e.type === "TestBinary") return binary(expanded(e.left), e.operator, expanded(e.right), true);
  if (e.type === "TestNot") return not(holds(e.operand, expanded));
  return e.type === "TestGroup" ? holds(e.expression, expanded) : undefined;
}
