import { type ParseArgsConfig, parseArgs } from "node:util";
import { didYouMean } from "./closest.ts";
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
    const { length } = parsed.positionals;
    if (length >= least && length <= most) return parsed;
    const wrong =
      length < least ? "Something is missing." : `"${shortened(parsed.positionals[most]!)}" is one word too many.`;
    throw new UsageError(`${wrong}\n${usage}`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${complaint(error as Error, Object.keys(options))}\n${usage}`);
  }
}

const shortened = (word: string): string => word.slice(0, 40);

/** What the first word asks for, of a command that does several things. */
export function chosen<T>(doing: Record<string, T>, word: string | undefined, usage: string): T {
  if (word !== undefined && Object.hasOwn(doing, word)) return doing[word]!;
  const verbs = Object.keys(doing);
  const wrong = word
    ? `"${shortened(word)}" is not known.${didYouMean(word, verbs)}`
    : `Say what to do: ${verbs.join(", ")}.`;
  throw new UsageError(`${wrong}\n${usage}`);
}

/** What parseArgs says of an unknown option speaks of positionals; most often it is a slip. */
function complaint({ message }: Error, options: readonly string[]): string {
  const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
  return unknown === undefined
    ? message
    : `${unknown} is not known.${didYouMean(
        unknown,
        options.map(name => `--${name}`),
      )}`;
}

/** Whether `flag` was given, and what is left: for commands whose other flags are settings. */
export const takeFlag = (argv: readonly string[], flag: string): [given: boolean, rest: string[]] => [
  argv.includes(flag),
  argv.filter(word => word !== flag),
];

export const wantsHelp = (argv: readonly string[]): boolean => argv.includes("--help") || argv.includes("-h");
