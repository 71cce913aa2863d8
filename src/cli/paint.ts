import { type Paint, plainPaint } from "../comply/report.ts";
import type { Io } from "./io.ts";

const painted = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;
const colours: Paint = {
  strong: painted(1),
  faint: painted(2),
  bad: painted(31),
  warn: painted(33),
  good: painted(32),
};

/** Colours on a terminal only; NO_COLOR (no-color.org) and FORCE_COLOR are honoured. */
export function paintFor({ env }: Pick<Io, "env">): Paint {
  if (env["NO_COLOR"]) return plainPaint;
  const terminal = process.stdout.isTTY === true && env["TERM"] !== "dumb";
  return terminal || env["FORCE_COLOR"] ? colours : plainPaint;
}
