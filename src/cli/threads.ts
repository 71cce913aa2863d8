import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { readAsset } from "../assets.ts";
import type { DemoStart, Standing } from "../actor/protocol.ts";
import type { Config } from "../config.ts";
import type { Directory } from "../directory/directory.ts";
import { createDemo, type Demo } from "../dispatch/demo.ts";
import { createDispatch, type Dispatch, type OrgDispatch } from "../dispatch/dispatch.ts";
import { cpuMs } from "../dispatch/processor-time.ts";
import { spawnDemoThread, spawnOrgThread, spawnVerifyThread, type ThreadEvents } from "../dispatch/spawn.ts";
import { onEveryCore, type PartTable } from "../dispatch/verify.ts";
import { type Plan, parsePlans } from "../domain/org/plans.ts";
import type { Keys } from "../keys.ts";
import { describeError, type Logger } from "../logger.ts";
import { readYaml } from "../seeds.ts";

/** Open organisation files a thread keeps: three descriptors and about 210 KB each. */
const STORES_MAX = 200;
const WAITING = { count_max: 256, bytes_max: 64 * 1024 * 1024 };

export interface ThreadParts {
  directory: Directory;
  keys: Keys;
  plans: ReadonlyMap<string, Plan>;
  logger: Logger;
  clock?: SharedArrayBuffer;
}

/** The organisations' threads, with the directory as witness of every head. */
export function startThreads(config: Config, { directory, keys, plans, logger, clock }: ThreadParts): OrgDispatch {
  const orgs = join(config.data, "orgs");
  mkdirSync(orgs, { recursive: true, mode: 0o700 });
  const start = {
    kind: "start" as const,
    orgs,
    keys: { log: keys.log, redaction: keys.redaction, packs: keys.packs },
    stores_max: STORES_MAX,
    heartbeat_s: config.heartbeat_s,
    ...(clock ? { clock } : {}),
  };
  const shared = { limits: WAITING, cpuMs, logger };
  const dispatch = createDispatch(config.workers, {
    ...shared,
    spawn: events => spawnOrgThread(start, events),
    intro: org => ({ recorded: directory.heads.recorded(org) ?? null, standing: standingOf(directory, plans, org) }),
    heads(reports) {
      for (const { org, head } of reports)
        if (!directory.heads.note(org, head))
          logger.error("a log went back behind its recorded head", { org, seq: head.seq });
    },
  });
  const spawn = (events: ThreadEvents) => spawnVerifyThread({ kind: "start", orgs }, events);
  return onEveryCore(dispatch, {
    threads_max: availableParallelism(),
    start: threads => createDispatch<PartTable>(threads, { ...shared, spawn, heads() {} }),
  });
}

/** A thread's first verdict compiles the rules, which takes longer than some wait: each gives one. */
export async function firstVerdicts(dispatch: Dispatch, logger: Logger): Promise<void> {
  const call = { type: "shell", command: "rm -rf /" } as const;
  const all = Array.from({ length: dispatch.health().threads }, () => dispatch.ask("", "playground.analyze", call));
  await Promise.all(all).catch(error => logger.warn("no verdict at the start", { cause: describeError(error) }));
}

function standingOf(directory: Directory, plans: ReadonlyMap<string, Plan>, org: string): Standing {
  const plan = plans.get(directory.organisations.find(org)?.plan ?? "");
  return { entitled: plan?.entitlements.includes("packs") ?? false, retention_days: plan?.retention_days ?? null };
}

/** The catalogue shipped in seeds/plans.yaml, by id. */
export const readPlans = (): Map<string, Plan> =>
  new Map(parsePlans(readAsset("seeds/plans.yaml"), readYaml).map(plan => [plan.id, plan]));

/** The demo's thread: what stands here is all it is given. */
export function startDemo(config: Config, { logger, clock }: Pick<ThreadParts, "logger" | "clock">): Demo {
  const start: DemoStart = {
    kind: "start",
    heartbeat_s: config.heartbeat_s,
    capacity: config.demo_capacity,
    idle_s: config.demo_idle_s,
    ...(clock ? { clock } : {}),
  };
  return createDemo({
    spawn: events => spawnDemoThread(start, events),
    limits: WAITING,
    heads() {},
    cpuMs,
    logger,
  });
}
