import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Directory } from "../directory/directory.ts";
import { createDispatch, type Dispatch } from "../dispatch/dispatch.ts";
import { spawnOrgThread } from "../dispatch/spawn.ts";
import type { Keys } from "../keys.ts";
import type { Logger } from "../logger.ts";

/** Open organisation files a thread keeps: three descriptors and about 210 KB each. */
const STORES_MAX = 200;
const WAITING = { count_max: 256, bytes_max: 64 * 1024 * 1024 };

export interface ThreadParts {
  directory: Directory;
  keys: Keys;
  logger: Logger;
  clock?: SharedArrayBuffer;
}

/** The organisations' threads, with the directory as witness of every head. */
export function startThreads(config: Config, { directory, keys, logger, clock }: ThreadParts): Dispatch {
  const orgs = join(config.data, "orgs");
  mkdirSync(orgs, { recursive: true, mode: 0o700 });
  const start = {
    kind: "start" as const,
    orgs,
    keys: { log: keys.log, redaction: keys.redaction },
    stores_max: STORES_MAX,
    heartbeat_s: config.heartbeat_s,
    ...(clock ? { clock } : {}),
  };
  return createDispatch(config.workers, {
    spawn: events => spawnOrgThread(start, events),
    limits: WAITING,
    recorded: org => directory.heads.recorded(org) ?? null,
    heads(reports) {
      for (const { org, head } of reports)
        if (!directory.heads.note(org, head))
          logger.error("a log went back behind its recorded head", { org, seq: head.seq });
    },
    logger,
  });
}
