import type { CommandNode, Function as FunctionNode } from "unbash";
import { EMPTY, type Field, unknown, type Val } from "../value.ts";
import { Calls, type Io, invocation, type Machine } from "./machine.ts";
import { runNode } from "./script.ts";

const MAX_RECURSION = 2;

/** Calls a shell function with its own positional parameters. A function that calls itself twice in a pipe forks for ever. */
export function callFunction(m: Machine, fn: FunctionNode, argv: readonly Field[], io: Io): Val {
  const name = fn.name.value;
  m.calls ??= new Calls();
  const { uncalled, depth, recursed } = m.calls;
  uncalled.delete(name);
  const nested = depth.get(name) ?? 0;
  if (nested >= MAX_RECURSION) {
    recursed.set(name, (recursed.get(name) ?? 0) + 1);
    return unknown();
  }
  depth.set(name, nested + 1);
  const { positional } = m.state;
  m.state.positional = argv.slice(1);
  const printed = m.within(name, () => runNode(m, fn.body as CommandNode, io));
  m.state.positional = positional;
  depth.set(name, nested);
  if (nested === 0 && (recursed.get(name) ?? 0) >= 2) {
    bomb(m, argv);
    recursed.clear();
  }
  return printed ?? EMPTY;
}

/** A fork bomb is told to the rules as the program `fork-bomb`: nothing else names it. */
function bomb(m: Machine, argv: readonly Field[]): void {
  m.subject(invocation(m, "fork-bomb", argv[0]!.span));
}
