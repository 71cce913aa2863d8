/** A decision of ours, and the phases it is made of. */
import { parse } from "unbash";
import { decide } from "../../../src/domain/policy/decide.ts";
import { findings } from "../../../src/domain/policy/engine/findings.ts";
import type { Findings } from "../../../src/domain/policy/facts.ts";
import type { Rulebook } from "../../../src/domain/policy/rules/compile.ts";
import { judge } from "../../../src/domain/policy/rules/judge.ts";
import type { ShellCall } from "../../../src/domain/policy/verdict.ts";
import type { Judge } from "./judge.ts";

const call = (command: string): ShellCall => ({ type: "shell", command, cwd: "/home/ann/shop", home: "/home/ann" });

export function gatehouse(book: Rulebook): Judge[] {
  const known = new Map<string, Findings>();
  const found = (command: string): Findings => {
    const before = known.get(command) ?? findings(call(command));
    known.set(command, before);
    return before;
  };
  return [
    { name: "gatehouse: decision", ask: command => decide(call(command), book, "enforce") },
    { name: "  what a command does", ask: command => findings(call(command)) },
    { name: "  of it, reading it (unbash)", ask: parse },
    { name: "  rules", ask: command => judge(call(command), found(command), book, "enforce") },
  ];
}
