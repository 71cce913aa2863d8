/** Programs meant by the numbers of their processes: `kill $(pgrep name)`, `ps aux | grep name | xargs kill`. */
import { invocation } from "../run/machine.ts";
import { type Field, unknown, type Val } from "../value.ts";
import { type Handler, hasFlag, type Job } from "./row.ts";

const listing = "pgrep ";
const listed = (name: string): Val => unknown(0, { path: { text: listing + name, known: true } });

/** `pgrep name`, `pidof name`, `ps -e`: numbers that stand for the programs of a name, or for all. */
export const processes: Handler = job => {
  const [name] = job.operands;
  if (job.inv.program !== "ps") return listed(name?.text ?? job.inv.flags[0]?.name ?? "");
  const all = hasFlag(job, "-e", "-A", "-ax") || /^[b-z]*a[a-z]*$/.test(name?.text ?? "");
  return all && !hasFlag(job, "-C", "-p", "--pid", "-t") ? listed(".") : undefined;
};

/** `ps aux | grep name`: no longer all of them. */
export const picked = (input: Val | undefined, name: Field | undefined): Val | undefined =>
  input?.origin?.path?.text.startsWith(listing) && name
    ? numbers.test(name.text)
      ? input
      : listed(name.text)
    : undefined;

/** A pattern that picks numbers out and no names. */
const numbers = /^\^?(\[(0-9|\d+|:digit:|\[:digit:\])\]|\\d)[*+]?\$?$/;

/** `ls /proc`: the numbers of all processes are among its names. */
export const everyProcess = listed(".");

/** `ps aux | awk '/name/ {…}'`: some of them, nobody knows which. */
export const unlisted = (printed: Val): Val =>
  printed.origin?.path?.text.startsWith(listing) ? { ...printed, origin: undefined } : printed;

/** `kill $(pgrep name)` does what `pkill name` does. */
export function killedByName(job: Job, f: Field): void {
  const from = numbers.test(f.text) ? `${listing}.` : f.origin?.path?.text;
  if (!from?.startsWith(listing)) return;
  const name = from.slice(listing.length);
  const inv = invocation(job.m, "pkill", job.inv.span!);
  if (name.startsWith("-")) inv.flags.push({ name });
  else inv.args.push({ text: name, known: true });
  job.m.subject(inv);
}
