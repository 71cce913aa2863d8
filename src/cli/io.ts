import type { Watch } from "./local/watchdog.ts";

/** What a command may touch of the process: tests hand in their own. */
export interface Io {
  env: Record<string, string | undefined>;
  out(line: string): void;
  err(line: string): void;
  /** All of standard input as text. */
  stdin(): Promise<string>;
  /** How long a hook may take; without it, as long as agents wait. */
  patience?: Pick<Watch, "patience_ms" | "dead_ms">;
}

/** Exit codes: 0 done, 1 could not be done, 2 not understood. */
export type Run = (argv: readonly string[], io: Io) => Promise<number>;

/** The command line is not understood; the message says what is. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The real process. */
export function processIo(): Io {
  return {
    env: process.env,
    out: line => console.log(line),
    err: line => console.error(line),
    stdin: standardInput,
  };
}

/** Bun's own reader takes a twentieth of the time of `process.stdin`, which hooks wait for at every call. */
const standardInput = (): Promise<string> => ("Bun" in globalThis ? Bun.stdin.text() : textOf(process.stdin));

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += chunk;
  return text;
}
