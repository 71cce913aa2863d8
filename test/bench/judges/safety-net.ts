/** cc-safety-net, a guard for coding agents, by the function it offers to programs. */
import { tmpdir } from "node:os";
import { installed, type Judge } from "./judge.ts";

export async function safetyNet(): Promise<Judge | undefined> {
  const net = await installed("cc-safety-net/api");
  if (net === undefined) return undefined;
  const check = net["checkCommand"] as (input: { command: string; cwd: string }) => unknown;
  const cwd = tmpdir();
  return { name: "cc-safety-net", ask: command => check({ command, cwd }) };
}
