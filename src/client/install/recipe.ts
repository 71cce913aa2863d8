import { join } from "node:path";
import type { Moved } from "../moved-homes.ts";

/** What is written for one agent at one scope. Pure: text in, text out; reading and writing files is the caller's. */
export type InstallScope = "user" | "project" | "managed";

export interface Places {
  home: string;
  /** Folders of agents that a variable has moved out of the home. */
  moved?: Moved;
  project: string;
  platform: string;
}

/** Where a path below the home lies. */
export const inHome = ({ home, moved }: Places, path: string): string => moved?.(path) ?? join(home, path);

/** The program to run: an absolute path and whatever has to stand before the verb (a runtime and the source, in development). */
export interface Program {
  path: string;
  args: readonly string[];
}

export interface Edit {
  path: string;
  /** The new text, from the present one (undefined: there is no file). Throws `CannotInstall`. */
  install(text: string | undefined): string;
  /** Without our entries; undefined: the file was ours alone and goes. */
  uninstall(text: string): string | undefined;
  /** Our entries as they stand, to see whether somebody changed them; undefined: not installed. */
  installed(text: string): string | undefined;
  mode?: number;
}

/** Only a hook that is `trusted` runs; `changed` is one that was, in another form. */
export type Trust = "trusted" | "untrusted" | "changed" | "off";

export interface Recipe {
  /** Whether the agent seems to be in use: one of these, below the home, exists. */
  signs: string[];
  scopes: InstallScope[];
  edits(scope: InstallScope, places: Places, program: Program): Edit[];
  /** Whether the agent runs hooks only once they are trusted, and these are, by its own files. Throws where those are broken. */
  trust?(scope: InstallScope, places: Places, read: (path: string) => string | undefined): Trust;
  /** What has to be done by hand, and what no hook can see. */
  holes: string[];
}

export class CannotInstall extends Error {
  override readonly name = "CannotInstall";
}

/** One shell word for both sh and cmd: agents hand the line to whichever they have. */
const word = (text: string): string =>
  /^[\w@%+=:,./\\-]+$/.test(text) ? text : `"${text.replaceAll(/(["\\$`])/g, "\\$1")}"`;

export const commandLine = ({ path, args }: Program, ...rest: string[]): string =>
  [path, ...args, ...rest].map(word).join(" ");

/** Whether an entry is one of ours: it runs our `hook` verb for this agent. */
export const isOurs = (entry: unknown, client: string): boolean => {
  const text = JSON.stringify(entry ?? null);
  return /gatehouse|main\.ts/.test(text) && new RegExp(`hook(\\\\"|"|,|\\s|\\[|\\])+${client}`).test(text);
};
