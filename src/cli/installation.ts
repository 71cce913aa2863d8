import { readAsset } from "../assets.ts";
import { type Client, openClient } from "../client/api.ts";
import { type Credentials, type Home, homeOf, readCredentials } from "../client/home.ts";
import type { Places } from "../client/install/recipe.ts";
import { CommandError } from "./command.ts";
import type { Io } from "./io.ts";

export const version = (): string => (JSON.parse(readAsset("package.json")) as { version: string }).version;

export const placesOf = (home: Home): Places => ({
  home: home.user,
  moved: home.moved,
  project: process.cwd(),
  platform: process.platform,
});

/** The enrolled installation and a client that speaks for it. */
export function enrolment({ env }: Io): { home: Home; credentials: Credentials; client: Client } {
  const home = homeOf(env);
  const credentials = readCredentials(home);
  if (!credentials) throw new CommandError("This installation is not enrolled. Run `gatehouse login <server>` first.");
  return { home, credentials, client: openClient({ server: credentials.server, token: credentials.token }) };
}
