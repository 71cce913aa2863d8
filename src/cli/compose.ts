import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { lockData } from "../directory/data-lock.ts";
import { openDirectory } from "../directory/directory.ts";
import { createSetupCode, firstRun } from "../directory/first-run.ts";
import { createIds } from "../domain/identity/ids.ts";
import { clientIp, rateKey } from "../http/client-ip.ts";
import { createCredentials } from "../http/credentials.ts";
import { createDemoDirectory } from "../http/demo-directory.ts";
import { frontDoor } from "../http/front-door.ts";
import { type Listener, listen } from "../http/listen.ts";
import { createMetrics } from "../http/metrics.ts";
import type { Parts } from "../http/parts.ts";
import { createOutboxRun } from "../http/outbox.ts";
import { createRates } from "../http/rates.ts";
import { refuse } from "../http/refuse.ts";
import { createApp } from "../http/server.ts";
import { createSessionTokens } from "../http/session-tokens.ts";
import { createUnderWay } from "../http/under-way.ts";
import { openKeys } from "../key-files.ts";
import { lazily } from "../domain/lazily.ts";
import { createLogger, describeError } from "../logger.ts";
import { readRelease } from "../release.ts";
import { refill } from "./refill.ts";
import { firstVerdicts, readPlans, startDemo, startThreads } from "./threads.ts";

export interface World {
  /** Where log lines go. */
  write(line: string): void;
  /** Milliseconds added to every thread's clock: only tests have one. */
  clock?: SharedArrayBuffer;
}

export interface Gatehouse {
  url: string;
  /** Founds the first organisation with `POST /auth/setup`; undefined once there is an account. */
  setup_code?: string;
  parts: Parts;
  /**
   * Lets everything under way finish. For `drain_ms` requests are still taken and each reply ends its connection, so that nobody is
   * cut off who has just sent one on a connection kept open.
   */
  close(drain_ms?: number): Promise<void>;
}

const FLUSH_MS = 1000;

/** The composition root: everything is made here and handed down. */
export async function compose(config: Config, world: World): Promise<Gatehouse> {
  const now = createClock(world.clock);
  const logger = createLogger(config.log_level, world.write, now);
  mkdirSync(config.data, { recursive: true, mode: 0o700 });
  const unlock = lockData(config.data);
  const database = join(config.data, "directory.sqlite");
  const keys = openKeys(join(config.data, "keys"), { fresh: !existsSync(database), now });
  const directory = openDirectory(database, { now, random: randomBytes, keys });
  const plans = readPlans();
  const dispatch = startThreads(config, {
    directory,
    keys,
    plans,
    logger,
    ...(world.clock ? { clock: world.clock } : {}),
  });
  const setup = createSetupCode(randomBytes);
  const first = await firstRun(directory, config, setup);
  for (const warning of first.warnings) logger.warn(warning);
  const rates = createRates(config, now);
  const tokens = createSessionTokens(keys.session.bytes, now);
  const closing = new AbortController();
  const parts: Parts = {
    config,
    public_url: config.public_url ?? `http://${config.host}:${config.port}`,
    directory,
    setup,
    dispatch,
    judged: lazily(() => firstVerdicts(dispatch, logger)),
    demo: startDemo(config, { logger, ...(world.clock ? { clock: world.clock } : {}) }),
    demo_directory: createDemoDirectory(),
    metrics: createMetrics(),
    tokens,
    plans,
    rates,
    id: createIds(now, randomBytes),
    now,
    logger,
    closing: closing.signal,
    release: readRelease(),
  };
  const app = createApp(parts);
  // Few have an identity provider; the others do not load what talks to one.
  const outside = config.oidc_issuer ? (await import("../http/outside.ts")).createOutside(parts) : undefined;
  const handle = frontDoor(app, {
    credentials: createCredentials(parts, outside),
    rates,
    clientIp: clientIp(config.trusted_proxies),
    request_id: () => `req_${crypto.randomUUID()}`,
    now,
    logger,
    metrics: parts.metrics,
    under_way: createUnderWay(config.requests_per_address, rateKey),
    closing: closing.signal,
  });
  await dispatch.started();
  await refill(config.data, directory, dispatch, logger);
  // What commands and the first run have changed is in the logs before anybody asks for it.
  const logOutbox = createOutboxRun(parts);
  await logOutbox();
  const open = () =>
    listen(handle, { hostname: config.host, port: config.port, onError: error => refuse(error, "-", logger) });
  const listener = await orElse(open, () => closeParts(parts).then(unlock));
  const url = `http://${listener.hostname.includes(":") ? `[${listener.hostname}]` : listener.hostname}:${listener.port}`;
  if (!config.public_url) parts.public_url = url;
  const flush = setInterval(() => {
    void logOutbox();
    flushDirectory(parts);
  }, FLUSH_MS);
  const setup_code = first.setup_code === undefined ? {} : { setup_code: first.setup_code };
  return {
    url,
    ...setup_code,
    parts,
    close: (drain_ms = 0) => {
      closing.abort();
      return close(listener, parts, flush, drain_ms).then(unlock);
    },
  };
}

/** A lock held by another process for too long is for the next time, not the end of the server. */
function flushDirectory({ directory, logger }: Parts): void {
  try {
    for (const org of directory.flush().heads_lost)
      logger.error("another process has written further to this log", { org });
  } catch (error) {
    logger.warn("the directory could not be written", { cause: describeError(error) });
  }
}

/** No new requests; those under way are answered; what waits is committed; heads are recorded. */
async function close(
  listener: Listener,
  parts: Parts,
  flush: ReturnType<typeof setInterval>,
  drain_ms: number,
): Promise<void> {
  clearInterval(flush);
  if (drain_ms > 0) await new Promise(resume => setTimeout(resume, drain_ms));
  await listener.stop();
  await closeParts(parts);
}

async function closeParts({ dispatch, demo, directory }: Parts): Promise<void> {
  await Promise.all([dispatch.close(), demo.dispatch.close()]);
  directory.close();
}

/** What fails takes down what stood before it. */
async function orElse<T>(work: () => T, undo: () => Promise<void>): Promise<T> {
  try {
    return work();
  } catch (error) {
    await undo();
    throw error;
  }
}
