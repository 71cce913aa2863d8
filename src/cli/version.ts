import { flag, readArguments } from "./arguments.ts";
import { command } from "./command.ts";
import { version } from "./installation.ts";

const USAGE = "Usage: gatehouse version [--json]";

export const run = command(USAGE, async (argv, io) => {
  const { values } = readArguments(argv, { json: flag }, [0, 0], USAGE);
  const platform = `${process.platform}-${process.arch}`;
  io.out(values.json ? JSON.stringify({ version: version(), platform }) : `gatehouse ${version()} (${platform})`);
  return 0;
});
