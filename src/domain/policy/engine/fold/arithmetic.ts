/** Arithmetic of the shell, and the substitutions that hide in it. */
import { type ArithmeticExpression, forEachChild, type SyntaxNode } from "unbash";
import { parse } from "../parse.ts";
import { capture } from "../run/capture.ts";
import type { Machine } from "../run/machine.ts";
import { literal, unknown, type Val } from "../value.ts";

/** `$((…))`: integers, variables and the four operations; what else there is yields an unknown, harmless number. */
export function arithmetic(m: Machine, e: ArithmeticExpression | undefined): Val {
  if (!e) return unknown(0);
  runNested(m, e);
  const n = evaluate(m, e);
  return n === undefined || !Number.isSafeInteger(n) ? unknown(0) : literal(String(n));
}

/** Substitutions inside arithmetic run whatever the result: `$(( a[$(rm x)] ))`. */
function runNested(m: Machine, node: SyntaxNode): void {
  m.step();
  if (node.type === "CommandExpansion" || node.type === "ArithmeticCommandExpansion") {
    if (node.script) capture(m, node.script);
    return;
  }
  forEachChild(node, child => runNested(m, child));
}

/**
 * Text that bash takes for arithmetic or for the name of an array's member: substitutions in it run, however it was
 * quoted (`let 'a[$(cmd)]'`, `test -v 'a[$(cmd)]'`).
 */
export function runSubscripts(m: Machine, text: string): void {
  if (!text.includes("$(") && !text.includes("`")) return;
  const node = parse(m, `: "${text.replaceAll('"', '\\"')}"`).commands[0]?.command;
  if (node) m.within(undefined, () => m.based(m.at, () => runNested(m, node)));
}

function evaluate(m: Machine, e: ArithmeticExpression): number | undefined {
  switch (e.type) {
    case "ArithmeticWord":
      return number(m, e.value, 0);
    case "ArithmeticGroup":
      return evaluate(m, e.expression);
    case "ArithmeticUnary":
      if (e.operator === "++" || e.operator === "--") return counted(m, e);
      return unary(m, e.operator, evaluate(m, e.operand));
    case "ArithmeticTernary": {
      const test = evaluate(m, e.test);
      return test === undefined ? undefined : evaluate(m, test ? e.consequent : e.alternate);
    }
    case "ArithmeticBinary":
      return binary(m, e);
    default:
      return undefined;
  }
}

/** An offset or index given as text: a number, a variable or a small expression. */
export function evaluateText(m: Machine, text: string): number | undefined {
  if (/^-?\d+$/.test(text)) return Number(text);
  if (text.length > 64) return undefined;
  const node = parse(m, `: $((${text}))`).commands[0]?.command;
  const part = node?.type === "Command" && node.suffix[0]?.type === "Word" ? node.suffix[0].parts?.[0] : undefined;
  return part?.type === "ArithmeticExpansion" && part.expression ? evaluate(m, part.expression) : undefined;
}

function number(m: Machine, text: string, depth: number): number | undefined {
  const length = /^\$(?:#|\{#(\w*)(\[[@*]\])?\})$/.exec(text);
  if (length) return lengthOf(m, length[1], length[2] !== undefined);
  const name = text.replace(/^\$\{?(\w+)\}?$/, "$1");
  if (/^-\d+$/.test(name)) return Number(name);
  if (/^\d+$/.test(name)) return name.startsWith("0") ? Number.parseInt(name, 8) : Number(name);
  if (/^0x[0-9a-f]+$/i.test(name)) return Number(name);
  const based = /^(\d+)#(\w+)$/.exec(name);
  if (based) return Number.parseInt(based[2]!, Number(based[1]));
  if (!/^[A-Za-z_]\w*$/.test(name) || depth > 4) return undefined;
  const v = m.state.get(name);
  if (!v?.known) return undefined;
  runSubscripts(m, v.text);
  return v.text === "" ? 0 : number(m, v.text.trim(), depth + 1);
}

/** `$#`, `${#name}`, `${#name[@]}`. */
function lengthOf(m: Machine, name: string | undefined, all: boolean): number | undefined {
  if (!name) return m.state.positional.length;
  if (all) return m.state.variable(name)?.items?.size;
  const v = m.state.get(name);
  return v?.known ? v.text.length : undefined;
}

/** `i++`, `--i`. */
function counted(m: Machine, e: ArithmeticExpression & { type: "ArithmeticUnary" }): number | undefined {
  const before = evaluate(m, e.operand);
  if (before === undefined || e.operand.type !== "ArithmeticWord") return undefined;
  const after = e.operator === "++" ? before + 1 : before - 1;
  m.state.set(e.operand.value, literal(String(after)));
  return e.prefix ? after : before;
}

function unary(m: Machine, operator: string, n: number | undefined): number | undefined {
  if (n === undefined) return undefined;
  m.step();
  if (operator === "-") return -n;
  if (operator === "+") return n;
  if (operator === "!") return n === 0 ? 1 : 0;
  return operator === "~" ? ~n : undefined;
}

const operations: Record<string, (a: number, b: number) => number | undefined> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => (b === 0 ? undefined : Math.trunc(a / b)),
  "%": (a, b) => (b === 0 ? undefined : a % b),
  "**": (a, b) => a ** b,
  "<<": (a, b) => a << b,
  ">>": (a, b) => a >> b,
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "<": (a, b) => Number(a < b),
  ">": (a, b) => Number(a > b),
  "<=": (a, b) => Number(a <= b),
  ">=": (a, b) => Number(a >= b),
  "==": (a, b) => Number(a === b),
  "!=": (a, b) => Number(a !== b),
  "&&": (a, b) => Number(a !== 0 && b !== 0),
  "||": (a, b) => Number(a !== 0 || b !== 0),
};

function binary(m: Machine, e: ArithmeticExpression & { type: "ArithmeticBinary" }): number | undefined {
  const right = evaluate(m, e.right);
  const assigns = /^([-+*/%]?)=$/.exec(e.operator);
  if (assigns && e.left.type === "ArithmeticWord") {
    const before = assigns[1] ? evaluate(m, e.left) : right;
    const n =
      assigns[1] && before !== undefined && right !== undefined ? operations[assigns[1]]!(before, right) : right;
    m.state.set(e.left.value, n === undefined ? unknown(0) : literal(String(n)));
    return n;
  }
  const left = evaluate(m, e.left);
  if (e.operator === ",") return right;
  return left === undefined || right === undefined ? undefined : operations[e.operator]?.(left, right);
}
