/** Files of settings, one `NAME=value` a line: `export $(grep -v '^#' .env | xargs)`, `env $(cat .env.test | xargs) cmd`. */
import type { Machine } from "../run/machine.ts";
import type { Field } from "../value.ts";

const name = /(?:^|\/)\.env(?:\.[\w-]+)*$/;

/** A word that is the whole of such a file, whatever it holds: assignments. */
export const fromEnvFile = ({ known, text, origin }: Field): boolean =>
  !known && text.length === 1 && name.test(origin?.path?.text ?? "");

/** Nobody gets to see what becomes variables: it is their taker who reads the file. */
export function settings(m: Machine, of: number, taken: Field): void {
  const path = taken.origin?.path?.text;
  const fact = m.facts.findLast(
    one => one.kind === "file" && one.does === "read" && one.path.text === path && one.of !== of,
  );
  if (fact) fact.of = of;
}
