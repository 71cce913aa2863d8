/** Drives of PowerShell that hold no files: `Set-Item alias:x ri`, `New-Item function:f -Value {…}`, `sc env:x y`. */
import { EMPTY, literal, word } from "../value.ts";
import { block } from "./blocks.ts";
import { type Effect, flag, operands, value } from "./job.ts";

const named = /^(alias|function|variable|env):[\\/]?(.+)$/i;

/** Sets what such a path names; other paths are left to `otherwise`. */
export const onDrive =
  (otherwise: Effect): Effect =>
  job => {
    const at = value(job, "-path", "-literalpath") ?? operands(job)[0];
    const [, drive, name] = named.exec(at?.text ?? "") ?? [];
    if (drive === undefined || name === undefined) return otherwise(job);
    const given = value(job, "-value") ?? operands(job).find(f => f !== at);
    if (given === undefined) return EMPTY;
    const { m, of } = job;
    const kind = drive.toLowerCase();
    const lower = name.toLowerCase();
    if (kind === "alias") m.state.set(`alias:${lower}`, literal(given.text.toLowerCase()));
    else if (kind === "function") m.state.set(`function:${lower}`, block(given.text));
    else m.state.set(kind === "env" ? `env:${lower}` : lower, given);
    if (kind === "env")
      m.facts.push({ kind: "env", of, name: name.toUpperCase(), value: word(given), span: given.span });
    return EMPTY;
  };

/** `Set-Variable name value`, `value | Set-Variable name`. */
export const setVariable: Effect = job => {
  const name = value(job, "-name") ?? operands(job)[0];
  const given = value(job, "-value") ?? operands(job).find(f => f !== name) ?? job.input;
  if (name && given) job.m.state.set(name.text.toLowerCase(), given);
  return EMPTY;
};

/** `Get-Variable name -ValueOnly`. */
export const getVariable: Effect = job => {
  const name = value(job, "-name") ?? flag(job, "-valueonly")?.value ?? operands(job)[0];
  return name && job.m.state.vars?.get(name.text.toLowerCase())?.val;
};
