/**
 * The log in process against a plain SQLite table with two indices that does nothing of what the log does, in the same
 * run: `bun test/bench/log.ts [events=200000]`. Prints rates at batch 1 to 1,000, bytes an event, merging, verification,
 * reopening, pages, statistics.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createDispatch } from "../../src/dispatch/dispatch.ts";
import { spawnVerifyThread } from "../../src/dispatch/spawn.ts";
import { type PartTable, verifyParts } from "../../src/dispatch/verify.ts";
import { formatVkey } from "../../src/domain/audit/note.ts";
import { createLogger } from "../../src/logger.ts";
import type { PageQuery } from "../../src/store/log.ts";
import { openOrgStore } from "../../src/store/open.ts";
import type { OrgStore } from "../../src/store/org-store.ts";
import { sha256 } from "../../src/store/crypto.ts";
import { finish, origin, signer, storeWorld } from "../store/fixture.ts";
import { openPlain, Race } from "./append.ts";
import { type Figure, printFigures, quantile, timed } from "./figures.ts";

/** What hashing alone costs on this processor: digest, leaf and tree node of each event. */
function hashing(): Figure[] {
  const inputs = [330, 255, 65].map(length => new Uint8Array(length));
  const into = new Uint8Array(32);
  const ms = timed(() => {
    for (let i = 0; i < 100_000; i++) for (const bytes of inputs) sha256(bytes, into);
  });
  return [{ name: "hashing alone", value: ms / 100, unit: "µs/event" }];
}

function merging(store: OrgStore): Figure[] {
  let longest = 0;
  const ms = timed(() => {
    for (let more = true; more; )
      longest = Math.max(
        longest,
        timed(() => void (more = store.log.tidy())),
      );
  });
  return [
    { name: "merging", value: (ms * 1000) / store.log.head().size, unit: "µs/event" },
    { name: "merging, longest step", value: longest, unit: "ms" },
  ];
}

function verifying(store: OrgStore): Figure[] {
  let [longest, valid] = [0, false];
  const cpu = process.cpuUsage();
  const ms = timed(() => {
    const steps = store.log.verify();
    for (let done = false; !done; )
      longest = Math.max(
        longest,
        timed(() => {
          const step = steps.next();
          if (step.done) [done, valid] = [true, step.value.valid];
        }),
      );
  });
  if (!valid) throw new Error("the log does not verify");
  const { user, system } = process.cpuUsage(cpu);
  const { size } = store.log.head();
  return [
    { name: "verify, one thread", value: (size / ms) * 1000, unit: "events/s" },
    { name: "verify, processor", value: (user + system) / size, unit: "µs/event" },
    { name: "verify, longest slice", value: longest, unit: "ms", goal: "<= 30" },
  ];
}

/** As the server does it: threads that read the file, started for it. */
async function verifyingOnEveryCore(store: OrgStore, orgs: string): Promise<Figure[]> {
  const { size, seq, hash } = store.log.head();
  const cores = availableParallelism();
  const vkey = formatVkey(sha256, { name: origin, publicKey: signer.publicKey });
  const start = performance.now();
  const threads = createDispatch<PartTable>(cores, {
    spawn: events => spawnVerifyThread({ kind: "start", orgs }, events),
    limits: { count_max: cores, bytes_max: 1 << 20 },
    heads() {},
    cpuMs: () => 0,
    logger: createLogger("error", console.error, Date.now),
  });
  const valid = await verifyParts(threads, cores, "org", { from: 0, to: size, head: { seq, hash }, vkey });
  const ms = performance.now() - start;
  await threads.close();
  if (!valid) throw new Error("the log does not verify in parts");
  return [{ name: `verify, ${cores} cores`, value: (size / ms) * 1000, unit: "events/s", goal: ">= 350,000" }];
}

const queries: Record<string, PageQuery> = {
  newest: {},
  "by agent": { agent: "agt_3" },
  "by kind": { kind: "file.write" },
  blocked: { decision: "BLOCK" },
  "rare, three filters": { kind: "net.fetch", agent: "agt_5", decision: "BLOCK" },
  "rare rule": { rule: "shell.rare" },
  "nothing found": { kind: "net.fetch", rule: "shell.rare", decision: "ASK" },
};

function pages(store: OrgStore): Figure[] {
  const figures = Object.entries(queries).flatMap(([name, query]) => {
    const goal = name === "newest" ? "<= 10" : "<= 50";
    return latencies(`page, ${name}`, 40, () => void store.log.page({ ...query, limit: 50 }), goal);
  });
  const { size } = store.log.head();
  const anywhere = (i: number) => void store.log.page({ cursor: `e${Math.floor((size * i) / 60).toString(36)}` });
  return [...figures, ...latencies("page, anywhere", 60, anywhere, "<= 10")];
}

function latencies(name: string, times: number, work: (i: number) => void, goal: string): Figure[] {
  const taken = Array.from({ length: times }, (_, i) => timed(() => work(i)));
  return [
    { name: `${name}, p50`, value: quantile(taken, 0.5), unit: "ms" },
    { name: `${name}, p99`, value: quantile(taken, 0.99), unit: "ms", goal },
  ];
}

function statistics(store: OrgStore): Figure[] {
  const partly = { from_ms: 1, to_ms: Date.now() - 1000 };
  return [
    { name: "statistics, whole hours", value: timed(() => void store.audit.stats({})), unit: "ms" },
    { name: "statistics, parts of hours", value: timed(() => void store.audit.stats(partly)), unit: "ms" },
  ];
}

export async function measureLog(events: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
  try {
    const world = { ...storeWorld(), now: Date.now };
    const path = join(folder, "org.sqlite");
    const figures = hashing();
    let store = openOrgStore({ path }, world);
    const race = new Race(store, openPlain(folder));
    race.run(10_000, 1_000);
    for (const [batch, share] of Object.entries({ 1: 0.005, 10: 0.05, 100: 0.1, 1000: 0.845 }))
      figures.push(...race.run(events * share, Number(batch)));
    figures.push(...merging(store));
    store.close();
    const bytes = statSync(path).size;
    const reopening = timed(() => void (store = openOrgStore({ path }, world)));
    const { size } = store.log.head();
    figures.push(
      { name: "bytes an event, merged", value: bytes / size, unit: "bytes", goal: "<= 120" },
      { name: "reopen", value: reopening, unit: "ms", goal: "<= 30 at a million" },
      ...verifying(store),
      ...(await verifyingOnEveryCore(store, folder)),
      ...pages(store),
      ...statistics(store),
    );
    const erasing = timed(() => void finish(store.log.eraseBodies({ before_ms: Date.now() + 60_000 })));
    if (!finish(store.log.verify()).valid) throw new Error("the log does not verify once its bodies are erased");
    store.close();
    return [...figures, { name: "erasing bodies", value: (erasing * 1000) / size, unit: "µs/event" }];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) {
  printFigures(await measureLog(Number(process.argv[2] ?? 200_000)));
  process.exit(0);
}
