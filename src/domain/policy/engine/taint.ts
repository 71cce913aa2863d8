/** Where data came from, as bits a value carries along. */
import type { FlowSource } from "../facts.ts";

/** Where data came from, as bits, so that joining two values is one `|`. */
export const NETWORK = 1;
export const SECRET = 2;
export const DECODED = 4;
export const WRITTEN = 8;
export const UNKNOWN = 16;
export const SHELL = 32;
/** A variable that nothing has set, as far as is known: it may be empty. No source of a flow. */
export const UNSET = 64;

/** Where all variables of a process are read at once (`env`, `set`, `printenv`). */
export const environment = { path: { text: "/proc/self/environ", known: true } };

export const sources: readonly (readonly [number, FlowSource])[] = [
  [NETWORK, "network"],
  [SECRET, "secret"],
  [DECODED, "decoded"],
  [WRITTEN, "written"],
  [UNKNOWN, "unknown"],
  [SHELL, "shell"],
];
