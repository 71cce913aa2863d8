/** Calls of shell functions, and what calls itself without end. */
import type { CommandNode, Function as FunctionNode } from "unbash";
import type { Span } from "../../facts.ts";
import { type Field, unknown, type Val } from "../value.ts";
import { Calls, type Io, invocation, type Machine } from "./machine.ts";
import { runNode } from "./script.ts";

const MAX_RECURSION = 2;

/** Calls a shell function with its own positional parameters. */
export function callFunction(m: Machine, fn: FunctionNode, argv: readonly Field[], io: Io): Val {
  const name = fn.name.value;
  (m.calls ??= new Calls()).uncalled.delete(name);
  return counted(m, name, argv, () => {
    const { positional } = m.state;
    m.state.positional = argv.slice(1);
    const printed = m.within(name, () => runNode(m, fn.body as CommandNode, io));
    m.state.positional = positional;
    return printed;
  });
}

/** Runs what may start itself again: what does so twice at a time forks for ever. */
export function counted(m: Machine, name: string, argv: readonly Field[], body: () => Val): Val {
  const { depth, recursed, words } = (m.calls ??= new Calls());
  const nested = depth.get(name) ?? 0;
  const outer = words.get(name) ?? 0;
  // `go() { "$@"; }; go go go cmd`: a call with fewer words than the one around it comes to an end.
  if (nested >= MAX_RECURSION && argv.length >= outer) {
    if (m.choice === undefined) recursed.set(name, (recursed.get(name) ?? 0) + 1);
    return unknown();
  }
  depth.set(name, nested + 1);
  words.set(name, argv.length);
  const printed = body();
  depth.set(name, nested);
  words.set(name, outer);
  if (nested === 0 && (recursed.get(name) ?? 0) >= 2) {
    bomb(m, argv[0]!.span);
    recursed.clear();
  }
  return printed;
}

/** A fork bomb is told to the rules as the program `fork-bomb`: nothing else names it. */
export function bomb(m: Machine, span: Span): void {
  m.subject(invocation(m, "fork-bomb", span));
}
