/** What is noted about programs by their names beside their rows, gathered: it is looked up once, when a program is first met. */
import { type Builtin, builtins } from "../run/builtins.ts";
import { preparing, silent } from "./effects.ts";
import { type Inventory, inventories } from "./inventories.ts";
import { secretSources } from "./secret-sources.ts";
import { startingOptions } from "./starting-options.ts";
import { unusual } from "./unusual.ts";

export interface Traits {
  builtin: Builtin | undefined;
  /** Shows or writes files it is not made for (unusual.ts). */
  unusual: boolean;
  /** May print the settings of a shell (effects.ts). */
  prepares: boolean;
  /** Prints nothing unless asked to (effects.ts). */
  silent: boolean;
  /** Options that start what their value names (hooks.ts). */
  starting: ReadonlySet<string> | undefined;
  /** Words behind it that make it print a credential (secret-sources.ts). */
  secrets: RegExp | undefined;
  /** What it lists, by the words behind it (inventories.ts). */
  lists: readonly Inventory[] | undefined;
}

/** Those of every other program. */
export const untold: Traits = {
  builtin: undefined,
  unusual: false,
  prepares: false,
  silent: false,
  starting: undefined,
  secrets: undefined,
  lists: undefined,
};

export const traitsOf = (name: string): Traits => ({
  builtin: builtins.get(name),
  unusual: unusual.has(name),
  prepares: preparing.has(name),
  silent: silent.has(name),
  starting: startingOptions.get(name),
  secrets: secretSources.get(name),
  lists: inventories.get(name),
});

let names: ReadonlySet<string> | undefined;

/** Made late: some of these modules need the table themselves. */
export function hasTraits(name: string): boolean {
  names ??= new Set(
    [builtins, unusual, preparing, silent, startingOptions, secretSources, inventories].flatMap(noted => [
      ...noted.keys(),
    ]),
  );
  return names.has(name);
}
