/** What code of a scripting language shows or sends: its output is the input of what stands behind it in a pipe. */
import { hole } from "../../facts.ts";
import { SECRET, UNKNOWN } from "../taint.ts";
import { concat, tainted } from "../value.ts";
import type { Call, Yield } from "./calls.ts";
import type { Scanner } from "./code.ts";

/** Calls that write to standard output. */
export const printing =
  /^(print|println|puts|p|echo|say|console\.log|process\.stdout\.write|sys\.stdout\.write|io\.write)$/;

export function show(s: Scanner, call: Call): Yield {
  const { strings, taint, other } = call;
  // Texts put together in a loop are not followed.
  const known = !other && strings.join("").trim() !== "" && !/\bfor\b/.test(s.code.text);
  const text = known ? strings.join(" ") : hole;
  s.printed = concat(s.printed, tainted(`${text}\n`, known, known ? taint : taint | UNKNOWN, undefined));
  return { text: undefined, taint };
}

const sends = /^(end|send|sendall|sendto|write|post|put|request)$/;

/** `socket.send(secret)`, `request(…).end(secret)`: on a connection made before. */
export function sendOff(s: Scanner, name: string, taint: number): void {
  if ((taint & SECRET) !== 0 && (s.host ?? s.fetched) !== undefined && sends.test(name)) s.flow(SECRET, "network");
}
