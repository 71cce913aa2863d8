import { ApiError, type Heartbeat, type HeartbeatReply } from "../client/api.ts";
import { homeOf } from "../client/home.ts";
import { flushMs } from "./local/background.ts";
import { flush } from "./local/flush.ts";
import { heartbeatOf } from "../client/installation.ts";
import { cachedPolicy, confirmPolicy, isStale, refreshPolicy } from "../client/policy-cache.ts";
import { openSpool, type Spool } from "./local/spool.ts";
import { flag, readArguments } from "./arguments.ts";
import { command } from "./command.ts";
import { declaredServers } from "./local/declared-servers.ts";
import { linger, sleep } from "./local/linger.ts";
import { enrolment, placesOf, version } from "./installation.ts";
import { thisProgram } from "./program.ts";
import type { Io } from "./io.ts";

const USAGE = `Usage: gatehouse heartbeat [--watch] [--json]

Reports in, renews the policy when there is a newer one, and sends the events that wait. Hooks start it by themselves;
--watch keeps doing it at the interval the server asks for, for machines without hook traffic.`;

export const run = command(USAGE, async (argv, io) => {
  const { values } = readArguments(argv, { background: flag, watch: flag, json: flag }, [0, 0], USAGE);
  if (values.background) return inBackground(io);
  for (;;) {
    const done = await once(io, false);
    if (values.json) io.out(JSON.stringify(done));
    else
      io.out(
        `Policy version ${done.policy_version ?? "unchanged"}, ${done.sent} events sent, ${done.waiting} waiting.`,
      );
    if (!values.watch) return 0;
    await sleep(done.next_heartbeat_s * 1000);
  }
});

/** Hooks start one such process in `flush_ms`. It stays as long, so that the last call of a turn need not wait for the next. */
async function inBackground(io: Io): Promise<number> {
  await linger(() => once(io, true), flushMs(homeOf(io.env)));
  return 0;
}

interface Done {
  policy_version?: number;
  sent: number;
  rejected: number;
  waiting: number;
  next_heartbeat_s: number;
}

const usual_interval_s = 60;

/** In the background only what is due: a heartbeat at its interval, events always. */
async function once(io: Io, background: boolean): Promise<Done> {
  const { home, credentials, client } = enrolment(io);
  const spool = openSpool(home);
  try {
    const cached = cachedPolicy(home, credentials.signing_keys);
    const interval_s = cached?.config.heartbeat_interval_s ?? usual_interval_s;
    const due = spool.claim("heartbeat", Date.now(), background ? interval_s * 1000 : 0);
    const reply = due ? await beat(spool, cached?.document.version, io).catch(passing(background)) : undefined;
    const current = reply !== undefined && cached !== undefined && reply.policy_etag === cached.etag;
    if (current) confirmPolicy(home, cached, Date.now());
    const outdated = reply ? !current : cached === undefined || isStale(cached, Date.now());
    const renewed = outdated
      ? await refreshPolicy(home, client, credentials.signing_keys, Date.now()).catch(passing(background))
      : undefined;
    const batch_max = Math.min(
      Math.max(1, renewed?.config.events.batch_max ?? cached?.config.events.batch_max ?? 500),
      5000,
    );
    const { sent, rejected } = (await flush(spool, client, batch_max, Date.now).catch(passing(background))) ?? {
      sent: 0,
      rejected: 0,
    };
    return {
      ...(renewed ? { policy_version: renewed.document.version } : {}),
      sent,
      rejected,
      waiting: spool.depth(),
      next_heartbeat_s: reply?.next_heartbeat_s ?? interval_s,
    };
  } finally {
    spool.close();
  }
}

async function beat(spool: Spool, policy_version: number | undefined, io: Io): Promise<HeartbeatReply> {
  const { home, client } = enrolment(io);
  declaredServers(home, process.cwd());
  const head = spool.get("head");
  const more = {
    queue_depth: spool.depth(),
    ...(policy_version === undefined ? {} : { policy_version }),
    ...(head ? { head: JSON.parse(head) as NonNullable<Heartbeat["head"]> } : {}),
  };
  const reply = await client.heartbeat(heartbeatOf(home, placesOf(home), thisProgram(), version(), more));
  spool.set("skew_ms", String(Date.parse(reply.server_time) - Date.now()));
  return reply;
}

/** Nobody reads what a background run says: what can be tried again is left for the next one. */
const passing =
  (background: boolean) =>
  (error: unknown): undefined => {
    if (!background || !(error instanceof ApiError)) throw error;
    return undefined;
  };
