import { hostname } from "node:os";
import { type AgentToken, ApiError, type Client, type Installation, isLocal, openClient } from "../client/api.ts";
import { homeOf, makeFolder, writeJson } from "../client/home.ts";
import { installationId } from "../client/installation.ts";
import { refreshPolicy } from "../client/policy-cache.ts";
import { flag, readArguments, text } from "./arguments.ts";
import { CommandError, command } from "./command.ts";
import { version } from "./installation.ts";
import { type Io, UsageError } from "./io.ts";

const USAGE = `Usage: gatehouse login <server> [--name <name>] [--key <enrolment key>] [--insecure] [--json]

Enrols this machine as an agent: shows a code, waits until somebody has confirmed it in the dashboard, and fetches the policy.
--key takes an enrolment key instead (CI, device management); GATEHOUSE_ENROLMENT_KEY does the same.
--insecure allows plain http to another machine.`;

export const run = command(USAGE, async (argv, io) => {
  const options = { name: text, key: text, insecure: flag, json: flag } as const;
  const { values, positionals } = readArguments(argv, options, [1, 1], USAGE);
  const server = serverOf(positionals[0]!, values.insecure ?? false);
  const home = homeOf(io.env);
  const client = openClient({ server });
  const who: Installation = {
    name: values.name ?? hostname(),
    hostname: hostname(),
    platform: `${process.platform}-${process.arch}`,
    version: version(),
    installation_id: installationId(home),
  };
  const key = values.key ?? io.env["GATEHOUSE_ENROLMENT_KEY"];
  const { access_token, agent } = key ? await client.enrol(key, who) : await byDevice(client, who, io);
  const known = openClient({ server, token: access_token });
  const { signing_keys } = await known.config();
  makeFolder(home.folder);
  const credentials = { server, token: access_token, installation_id: who.installation_id!, agent, signing_keys };
  writeJson(home.credentials, credentials);
  const policy = await refreshPolicy(home, known, signing_keys, Date.now());
  const mode = policy.document.enforcement_mode;
  if (values.json)
    io.out(JSON.stringify({ server, agent, policy_version: policy.document.version, enforcement_mode: mode }));
  else
    io.out(
      `Enrolled as ${agent.name} (${agent.id}). Policy version ${policy.document.version}, mode ${mode}.\nNext: gatehouse install <agent>`,
    );
  return 0;
});

function serverOf(given: string, insecure: boolean): string {
  const server = /^https?:\/\//.test(given) ? given : `https://${given}`;
  const wrong = /^(?!https?:)[a-z]+:\/\//i.test(given) || !URL.canParse(server);
  if (wrong) throw new UsageError(`"${given}" is not an address of a server (https://…).\n${USAGE}`);
  if (server.startsWith("http://") && !isLocal(server) && !insecure)
    throw new CommandError(
      "Plain http would show the token to everybody on the way. Use https, or --insecure if you must.",
    );
  return new URL(server).href.replace(/(?<!\/)\/+$/, "");
}

/** RFC 8628: show the code, then poll at the interval the server asks for. */
export async function byDevice(
  client: Pick<Client, "deviceCode" | "deviceToken">,
  who: Installation,
  io: Pick<Io, "err">,
  wait_s: (seconds: number) => Promise<void> = seconds => new Promise(resolve => setTimeout(resolve, seconds * 1000)),
): Promise<AgentToken> {
  const code = await client.deviceCode(who);
  io.err(`Open ${code.verification_uri_complete ?? code.verification_uri}\nand confirm the code ${code.user_code}`);
  const end = Date.now() + code.expires_in * 1000;
  for (let interval_s = code.interval; Date.now() < end; ) {
    const answer = await client.deviceToken(code.device_code).catch((error: unknown) => {
      if (
        error instanceof ApiError &&
        (error.code === "authorization_pending" || error.code === "slow_down" || error.passing)
      )
        return error;
      throw error;
    });
    if (!(answer instanceof ApiError)) return answer;
    if (answer.code === "slow_down") interval_s += 5;
    await wait_s(Math.max(interval_s, answer.retry_after_s ?? 0));
  }
  throw new CommandError("Nobody confirmed the code in time. Run `gatehouse login` again.");
}
