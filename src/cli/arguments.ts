import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "./io.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

export const flag = { type: "boolean" } as const;
export const text = { type: "string" } as const;

/** `node:util` parseArgs with a bound on positionals; its complaints are UsageErrors followed by the usage. */
export function readArguments<const O extends Options>(
  argv: readonly string[],
  options: O,
  [least, most]: readonly [number, number],
  usage: string,
) {
  try {
    const parsed = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
    if (parsed.positionals.length >= least && parsed.positionals.length <= most) return parsed;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`);
  }
  throw new UsageError(usage);
}

/** Whether `flag` was given, and what is left: for commands whose other flags are settings. */
export const takeFlag = (argv: readonly string[], flag: string): [given: boolean, rest: string[]] => [
  argv.includes(flag),
  argv.filter(word => word !== flag),
];

export const wantsHelp = (argv: readonly string[]): boolean => argv.includes("--help") || argv.includes("-h");
