import { rmSync } from "node:fs";
import { homeOf, readCredentials } from "../client/home.ts";
import { flag, readArguments } from "./arguments.ts";
import { command } from "./command.ts";

const USAGE = `Usage: gatehouse logout [--json]

Forgets the token and the cached policy of this installation. Hooks stay and judge by the community packs; events not yet
sent stay too. An admin removes the agent itself on the Agents page.`;

export const run = command(USAGE, async (argv, io) => {
  const { values } = readArguments(argv, { json: flag }, [0, 0], USAGE);
  const home = homeOf(io.env);
  const was = readCredentials(home);
  for (const file of [home.credentials, home.policy]) rmSync(file, { force: true });
  if (values.json) io.out(JSON.stringify({ forgotten: was !== undefined }));
  else io.out(was ? `Forgot ${was.agent.name} at ${was.server}.` : "This installation was not enrolled.");
  return 0;
});
