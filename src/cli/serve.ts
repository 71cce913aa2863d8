import { loadEarly } from "../dispatch/spawn.ts";
import type { Run } from "./io.ts";

/** A thread of the organisations begins to load before the server's own modules do: it takes as long as all of them. */
export const run: Run = async (argv, io) => {
  if (!argv.includes("--help") && !argv.includes("-h")) loadEarly();
  return (await import("./serving.ts")).run(argv, io);
};
