/** What the evasion tests judge: every technique on every command it fits, and stacks of transforms drawn by a seed. */
import fc from "fast-check";
import { mutate, mutators, stacks } from "./mutators.ts";
import { dangerous, techniques } from "./evasions.ts";

export function evasions(): [technique: string, commands: string[]][] {
  return Object.entries(techniques).map(([name, ways]) => {
    const commands = ways.flatMap(way => dangerous.map(command => way(command)));
    return [name, [...new Set(commands)]];
  });
}

export function stacked(seed: number, count: number): string[] {
  const one = fc.tuple(fc.constantFrom(...dangerous), stacks());
  return fc.sample(one, { numRuns: count, seed }).map(([command, choices]) => mutate(command, choices, mutators).text);
}
