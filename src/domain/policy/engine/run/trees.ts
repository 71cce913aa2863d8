/**
 * Folders this very command filled from elsewhere: a cloned repository, an unpacked archive. What lies in them is run
 * unread, however many steps stand between.
 */
import { NETWORK, WRITTEN } from "../taint.ts";
import { unknown, type Val } from "../value.ts";
import type { Machine } from "./machine.ts";

/** Where projects are published under their owner's name: what comes from there counts as written here, not as foreign. */
const codeHosts =
  /^(www\.|codeload\.|raw\.|objects\.)?(github(usercontent)?|gitlab|bitbucket|codeberg|sourceforge|apache|gnu|kernel|python|nodejs|golang|rust-lang|pypi|npmjs|crates|debian|ubuntu|googlesource|googleapis)\.(com|org|net|io|dev)$|\.(github(usercontent)?|gitlab|gnu|apache|kernel|python|debian|ubuntu|googlesource|sourceforge)\.(com|org|net|io)$/i;

/** Notes that a folder holds what `from` brought, when that came over the network. */
export function filled(m: Machine, path: string, from: Val): void {
  if ((from.taint & (NETWORK | WRITTEN)) === 0) return;
  const host = from.origin?.host?.text ?? "";
  m.trees.set(
    path.replace(/\/$/, ""),
    unknown(codeHosts.test(host) ? WRITTEN : from.taint & (NETWORK | WRITTEN), from.origin),
  );
}

/** What a file of such a folder holds: unknown text with the folder's taint. */
export function fromTree(m: Machine, path: string): Val | undefined {
  if (m.trees.size === 0) return undefined;
  for (const [root, val] of m.trees) if (path === root || path.startsWith(`${root}/`)) return val;
  return undefined;
}
