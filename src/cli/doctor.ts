import { existsSync } from "node:fs";
import { ApiError, openClient } from "../client/api.ts";
import { type Home, homeOf, readCredentials } from "../client/home.ts";
import type { Program, Trust } from "../client/install/recipe.ts";
import { recipes } from "../client/install/recipes.ts";
import { type HookState, hookStates } from "../client/installation.ts";
import { cachedPolicy, isStale } from "../client/policy-cache.ts";
import { flag, readArguments } from "./arguments.ts";
import { command, NO } from "./command.ts";
import { placesOf } from "./installation.ts";
import { hooksOff } from "./local/hooks-off.ts";
import { probe } from "./local/probe.ts";
import { openSpool, type Spool } from "./local/spool.ts";
import { paintFor } from "./paint.ts";
import { thisProgram } from "./program.ts";

const USAGE = `Usage: gatehouse doctor [--json]

Looks at everything between the agents and the verdict: enrolment, policy, server, clock, waiting events, and for each agent on this
machine whether the hook is installed as written, whether the agent is set to run it and trusts it, whether it answers (a dangerous
and a harmless call are put to it, nothing is run), and when the agent last called it. Names what no hook can see.
Exit code 3 when something is wrong.`;

export interface Finding {
  about: string;
  state: "ok" | "warn" | "bad";
  says: string;
}
const ok = (about: string, says: string): Finding => ({ about, state: "ok", says });
const warn = (about: string, says: string): Finding => ({ about, state: "warn", says });
const bad = (about: string, says: string): Finding => ({ about, state: "bad", says });

export const run = command(USAGE, async (argv, io) => {
  const { values } = readArguments(argv, { json: flag }, [0, 0], USAGE);
  const home = homeOf(io.env);
  const states = hookStates(placesOf(home), thisProgram()).filter(({ found, installed }) => found || installed);
  const spool = existsSync(home.spool) ? openSpool(home) : undefined;
  const off = hooksOff(home, process.cwd());
  const look = { off, spool, program: thisProgram() };
  const findings = [...(await enrolmentFindings(home)), ...(spool ? spoolFindings(spool) : [])];
  // One after the other: side by side they would take the time from each other that a hook has for its answer.
  for (const state of states) findings.push(...(await hookFindings(state, look)));
  spool?.close();
  const holes = Object.fromEntries(states.map(({ client }) => [client, recipes[client]!.holes]));
  if (values.json) io.out(JSON.stringify({ findings, holes }));
  else {
    const paint = paintFor(io);
    const mark = { ok: paint.good("ok  "), warn: paint.warn("warn"), bad: paint.bad("bad ") };
    for (const { about, state, says } of findings) io.out(`${mark[state]} ${paint.strong(about)} ${says}`);
    if (states.length === 0) io.out("No coding agent was found on this machine.");
    for (const [client, known] of Object.entries(holes))
      for (const hole of known) io.out(`${paint.faint("hole")} ${client}: ${hole}`);
  }
  return findings.some(({ state }) => state === "bad") ? NO : 0;
});

async function enrolmentFindings(home: Home): Promise<Finding[]> {
  const credentials = readCredentials(home);
  if (!credentials)
    return [
      warn(
        "enrolment",
        "not enrolled: calls are judged by the community packs, events wait here. Run `gatehouse login <server>`.",
      ),
    ];
  const reached = await openClient({ server: credentials.server, token: credentials.token, timeout_ms: 3000 })
    .self()
    .then(() => ok("server", `${credentials.server} knows this agent as ${credentials.agent.name}`))
    .catch((error: unknown): Finding => {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401) return bad("server", `${error.message} Run \`gatehouse login ${credentials.server}\`.`);
      return { about: "server", state: error.passing ? "warn" : "bad", says: error.message };
    });
  return [policyFinding(home, credentials.signing_keys), reached];
}

function policyFinding(home: Home, signing_keys: readonly string[]): Finding {
  const cached = cachedPolicy(home, signing_keys);
  if (!cached)
    return bad(
      "policy",
      existsSync(home.policy)
        ? "the cached policy does not verify; `gatehouse heartbeat` fetches it again"
        : "no policy was fetched yet; run `gatehouse heartbeat`",
    );
  const which = `version ${cached.document.version}, ${cached.document.enforcement_mode}, signature valid`;
  if (!isStale(cached, Date.now())) return ok("policy", which);
  const since = new Date(cached.fetched_ms).toISOString();
  return bad(
    "policy",
    `${which}, but last confirmed ${since}: calls now get at least "${cached.config.on_unreachable}". Run \`gatehouse heartbeat\`.`,
  );
}

const skewMax_ms = 120_000;

function spoolFindings(spool: Spool): Finding[] {
  const dropped = Number(spool.get("dropped") ?? 0);
  const depth = spool.depth();
  const skew_ms = Number(spool.get("skew_ms") ?? 0);
  const clock = `${Math.round(Math.abs(skew_ms) / 1000)} s ${skew_ms > 0 ? "behind" : "ahead of"} the server's`;
  return [
    depth > 0 ? warn("events", `${depth} wait to be sent`) : ok("events", "none waits"),
    ...(dropped > 0 ? [warn("events", `${dropped} were dropped because too many waited; the log will say so`)] : []),
    ...(Math.abs(skew_ms) > skewMax_ms
      ? [
          warn(
            "clock",
            `this machine's clock was ${clock} at the last heartbeat: set it, or times in the log are wrong`,
          ),
        ]
      : []),
  ];
}

interface Look {
  off: ReadonlyMap<string, string>;
  spool: Spool | undefined;
  program: Program;
}

async function hookFindings(state: HookState, { off, spool, program }: Look): Promise<Finding[]> {
  const { client, installed, scope, path, changed, trust } = state;
  if (!installed) return [bad(client, `is here, but has no hook. Run \`gatehouse install ${client}\`.`)];
  const why = off.get(client);
  const { flaw, took_ms } = await probe(client, program);
  return [
    changed
      ? bad(client, `the hook in ${path} was changed. Run \`gatehouse install ${client}\`.`)
      : ok(client, `hook installed at ${scope} scope`),
    ...(why ? [bad(client, `runs no hooks: ${why}`)] : []),
    ...(trust && !why ? [trustFinding(client, trust)] : []),
    flaw
      ? bad(client, `the hook ${flaw}`)
      : ok(client, `the hook refuses a dangerous call (${took_ms} ms) and lets a harmless one go`),
    heard(client, spool),
  ];
}

const review = "start it once and look at /hooks, or install at managed scope";
function trustFinding(client: string, trust: Trust): Finding {
  if (trust === "trusted") return ok(client, "trusts the hook");
  if (trust === "off") return bad(client, `is told not to run the hook: ${review}`);
  const why = trust === "changed" ? "has changed since it was trusted" : "is not trusted yet";
  return bad(client, `skips the hook without a word, because it ${why}: ${review}`);
}

function heard(client: string, spool: Spool | undefined): Finding {
  const last = Number(spool?.get(`seen:${client}`) ?? 0);
  if (last > 0) return ok(client, `last called the hook at ${new Date(last).toISOString()}`);
  return warn(client, "the agent itself has not called the hook yet: run any command in it, then look again");
}
