import { existsSync } from "node:fs";
import type { Paint } from "../comply/report.ts";
import { ApiError, openClient } from "../client/api.ts";
import { homeOf, readCredentials } from "../client/home.ts";
import { type HookState, hookStates } from "../client/installation.ts";
import { cachedPolicy, isStale } from "../client/policy-cache.ts";
import { openSpool } from "./local/spool.ts";
import { flag, readArguments } from "./arguments.ts";
import { command } from "./command.ts";
import { placesOf, version } from "./installation.ts";
import { thisProgram } from "./program.ts";
import { paintFor } from "./paint.ts";

const USAGE = `Usage: gatehouse status [--offline] [--json]

Who this installation is, which policy it judges by, which agents run the hook, and how many events wait.`;

export const run = command(USAGE, async (argv, io) => {
  const { values } = readArguments(argv, { json: flag, offline: flag }, [0, 0], USAGE);
  const home = homeOf(io.env);
  const credentials = readCredentials(home);
  const policy = credentials && cachedPolicy(home, credentials.signing_keys);
  const waiting = existsSync(home.spool) ? waitingIn(home) : 0;
  const hooks = hookStates(placesOf(home), thisProgram()).filter(({ found, installed }) => found || installed);
  const server = credentials && !values.offline ? await reach(credentials.server, credentials.token) : undefined;
  const state = {
    version: version(),
    enrolled: credentials ? { server: credentials.server, agent: credentials.agent } : null,
    server: server ?? null,
    policy: policy
      ? {
          version: policy.document.version,
          mode: policy.document.enforcement_mode,
          age_s: Math.round((Date.now() - policy.fetched_ms) / 1000),
          stale: isStale(policy, Date.now()),
        }
      : null,
    waiting_events: waiting,
    hooks: hooks.map(({ client, installed, scope, changed, trust }) => ({
      client,
      installed,
      ...(scope ? { scope } : {}),
      ...(changed ? { changed } : {}),
      ...(trust ? { trust } : {}),
    })),
  };
  if (values.json) return (io.out(JSON.stringify(state)), 0);
  const paint = paintFor(io);
  const row = (name: string, value: string) => io.out(`${paint.faint(name.padEnd(10))} ${value}`);
  row("version", state.version);
  row(
    "agent",
    credentials ? `${credentials.agent.name} (${credentials.agent.id}) at ${credentials.server}` : "not enrolled",
  );
  if (server) row("server", server === "ok" ? paint.good("reached, token valid") : paint.bad(server));
  row(
    "policy",
    state.policy
      ? `version ${state.policy.version}, ${state.policy.mode}, ${state.policy.age_s} s old${state.policy.stale ? paint.warn(" (stale)") : ""}`
      : "community packs",
  );
  row("events", `${waiting} waiting`);
  for (const hook of hooks) row(hook.client, hookSays(hook, paint));
  return 0;
});

function hookSays({ installed, scope, changed, trust }: HookState, paint: Paint): string {
  if (!installed) return paint.warn("no hook");
  const flaw = changed ? "hook changed" : trust && trust !== "trusted" ? `hook ${trust}, so the agent skips it` : "";
  return `${flaw ? paint.warn(flaw) : paint.good("hook installed")} (${scope})`;
}

async function reach(server: string, token: string): Promise<string> {
  try {
    await openClient({ server, token, timeout_ms: 3000 }).self();
    return "ok";
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

function waitingIn(home: ReturnType<typeof homeOf>): number {
  const spool = openSpool(home);
  try {
    return spool.depth();
  } finally {
    spool.close();
  }
}
