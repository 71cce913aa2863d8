import type { CommandNode, Function as FunctionNode } from "unbash";
import { EMPTY, type Field, unknown, type Val } from "../value.ts";
import type { Io, Machine } from "./machine.ts";
import { invocation } from "./machine.ts";
import { runNode } from "./script.ts";

const MAX_RECURSION = 2;

/** Calls a shell function with its own positional parameters. A function that calls itself twice in a pipe forks for ever. */
export function callFunction(m: Machine, fn: FunctionNode, argv: readonly Field[], io: Io): Val {
  const name = fn.name.value;
  m.uncalled.delete(name);
  const nested = m.callDepth.get(name) ?? 0;
  if (nested >= MAX_RECURSION) {
    m.recursed.set(name, (m.recursed.get(name) ?? 0) + 1);
    return unknown();
  }
  m.callDepth.set(name, nested + 1);
  const { positional } = m.state;
  m.state.positional = argv.slice(1);
  const printed = m.within(name, () => runNode(m, fn.body as CommandNode, io));
  m.state.positional = positional;
  m.callDepth.set(name, nested);
  if (nested === 0 && (m.recursed.get(name) ?? 0) >= 2) bomb(m, argv);
  return printed ?? EMPTY;
}

/** A fork bomb is told to the rules as the program `fork-bomb`: nothing else names it. */
function bomb(m: Machine, argv: readonly Field[]): void {
  m.subject(invocation(m, "fork-bomb", argv[0]!.span));
  m.recursed.clear();
}
