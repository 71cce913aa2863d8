import { ApiError } from "../client/api.ts";
import { CannotInstall } from "../client/install/recipe.ts";
import { type Io, type Run, UsageError } from "./io.ts";
import { wantsHelp } from "./arguments.ts";

/** The answer to what was asked is no: something was found, refused or does not verify. */
export const NO = 3;

/** Something that cannot be done, in a sentence for the person. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/**
 * A verb of the installation's side: prints its usage on `--help`, turns what goes wrong into one sentence.
 * Exit codes: 0 done, 1 could not be done, 2 not understood, 3 the answer is no.
 */
export const command =
  (usage: string, work: (argv: readonly string[], io: Io) => Promise<number>): Run =>
  async (argv, io) => {
    const own = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
    if (wantsHelp(own)) return (io.out(usage), 0);
    try {
      return await work(argv, io);
    } catch (error) {
      if (error instanceof UsageError) return (io.err(error.message), 2);
      const known =
        error instanceof ApiError ||
        error instanceof CommandError ||
        error instanceof CannotInstall ||
        error instanceof TypeError;
      if (!known && !isSystemError(error)) throw error;
      return (io.err(`gatehouse: ${(error as Error).message}`), 1);
    }
  };

/** A file that cannot be read or written: the system's own sentence names it. */
const isSystemError = (error: unknown): boolean => typeof (error as { syscall?: unknown }).syscall === "string";
