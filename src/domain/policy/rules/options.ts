/** Descriptions of calls of one program, by the options they ask for: what asks for `--force` costs `git pull` nothing. */
import type { Flag } from "../facts.ts";
import type { Description } from "./description.ts";

export interface ByOption {
  /** Asked whatever the options. */
  always: readonly Description[];
  byFlag: ReadonlyMap<string, readonly Description[]> | undefined;
}

/** Descriptions of one program: those that may hold whatever follows, and those that ask for one word. */
export interface ProgramIndex {
  any: ByOption;
  byWord: ReadonlyMap<string, ByOption> | undefined;
}

export function byOption(descriptions: readonly Description[]): ByOption {
  const always: Description[] = [];
  const byFlag = new Map<string, Description[]>();
  for (const made of descriptions) {
    const names = (made.flags ?? made.flagsAll?.[0])?.spellings;
    if (names === undefined) always.push(made);
    else for (const name of new Set(names)) byFlag.set(name, [...(byFlag.get(name) ?? []), made]);
  }
  return { always, byFlag: byFlag.size > 0 ? byFlag : undefined };
}

/** Calls `ask` with every description that options given as `flags` may satisfy. */
export function eachFor({ always, byFlag }: ByOption, flags: readonly Flag[], ask: (made: Description) => void): void {
  for (let at = 0; at < always.length; at++) ask(always[at]!);
  if (byFlag === undefined) return;
  for (let at = 0; at < flags.length; at++) {
    const about = byFlag.get(flags[at]!.name);
    if (about !== undefined && isFirst(flags, at)) for (let i = 0; i < about.length; i++) ask(about[i]!);
  }
}

/** An option given a hundred times says no more than once. */
function isFirst(flags: readonly Flag[], at: number): boolean {
  const { name } = flags[at]!;
  for (let before = 0; before < at; before++) if (flags[before]!.name === name) return false;
  return true;
}
