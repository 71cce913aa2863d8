import { readAsset } from "../assets.ts";

let known: ReadonlySet<string> | undefined;

/**
 * The 3,000 most used passwords that our other rules would take, the most used first, in lower case (SecLists,
 * Passwords/Common-Credentials/xato-net-10-million-passwords, MIT; by Mark Burnett, public domain).
 */
export const mostUsedPasswords = (): ReadonlySet<string> =>
  (known ??= new Set(readAsset("seeds/most-used-passwords.txt").trimEnd().split("\n")));
