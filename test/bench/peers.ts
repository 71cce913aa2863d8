/**
 * The server beside its peers, all at equal durability (synced before it is acknowledged), with the same events, batch sizes and
 * 16 connections, in turns within one run: `npm run bench:peers -- [seconds a turn=2] [rounds=2]`, about two minutes. What its
 * clients speak is each one's own: HTTP for the server and Fastify, raw connections for PostgreSQL and Redis, beside which the
 * server is also asked without HTTP. Peers that cannot be had are named with the reason. Prints events a second, the ratio to
 * each peer, and processor time an event of the peer's processes and of the load generator; the last line is JSON.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare } from "./feed.ts";
import { type Contestant, within } from "./peers/contestant.ts";
import { startOnBun, startOnNode } from "./peers/fastify.ts";
import { startDispatch, startGatehouse } from "./peers/gatehouse.ts";
import { startCopy, startInsert } from "./peers/postgres.ts";
import { startRedis } from "./peers/redis.ts";
import { cpuMs } from "./process.ts";

const [seconds = "2", rounds = "2"] = process.argv.slice(2);
const connections = 16;
const sizes = [1, 10, 100, 1000];
/** Setting up includes installing and building what the first run needs. */
const START_S_MAX = 450;
const STOP_S_MAX = 60;

const HTTP = "gatehouse, HTTP";
const DIRECT = "gatehouse, without HTTP";
const starters: Record<string, (folder: string, connections: number) => Promise<Contestant>> = {
  [HTTP]: startGatehouse,
  [DIRECT]: startDispatch,
  "fastify + better-sqlite3, same chain, HTTP": startOnNode,
  "fastify + bun:sqlite, same chain, HTTP": startOnBun,
  "postgresql batch insert, no chain": startInsert,
  "postgresql copy, no chain, no de-duplication": startCopy,
  "redis streams, no chain, no index, no de-duplication": startRedis,
};

interface Sum {
  events: number;
  ms: number;
  peer_ms: number;
  generator_ms: number;
}

/** One batch under way on each connection. */
async function turn(contestant: Contestant, size: number, sum: Sum): Promise<void> {
  const isOwn = contestant.pid === process.pid;
  const [own, before] = [process.cpuUsage(), treeCpuMs(contestant)];
  const start = performance.now();
  const until = start + Number(seconds) * 1000;
  const line = async (_: unknown, connection: number) => {
    for (; performance.now() < until; sum.events += size) await contestant.send(connection, size);
  };
  await Promise.all(Array.from({ length: connections }, line));
  sum.ms += performance.now() - start;
  sum.peer_ms += treeCpuMs(contestant) - before;
  const { user, system } = process.cpuUsage(own);
  if (!isOwn) sum.generator_ms += (user + system) / 1000;
}

const treeCpuMs = ({ pid }: Contestant) => cpuMs(pid, { children: pid !== process.pid }) ?? 0;

const running = new Map<string, Contestant>();
const absent: Record<string, string> = {};
const folder = mkdtempSync(join(tmpdir(), "gatehouse-peers-"));

async function start(name: string, at: number): Promise<void> {
  try {
    const contestant = await within(START_S_MAX, "starting", starters[name]!(join(folder, `peer-${at}`), connections));
    running.set(name, contestant);
    console.error(`  started: ${name}`);
  } catch (error) {
    lose(name, error);
  }
}

function lose(name: string, error: unknown): void {
  running.delete(name);
  absent[name] = (error instanceof Error ? error.message : String(error)).split("\n")[0]!;
  console.log(`absent: ${name}: ${absent[name]}`);
}

async function race(size: number): Promise<Map<string, Sum>> {
  prepare(size);
  const sums = new Map([...running.keys()].map(name => [name, { events: 0, ms: 0, peer_ms: 0, generator_ms: 0 }]));
  for (let round = 0; round < Number(rounds); round++)
    for (const [name, contestant] of [...running])
      await within(Number(seconds) * 5 + 10, `a turn of batch ${size}`, turn(contestant, size, sums.get(name)!)).catch(
        error => lose(name, error),
      );
  console.error(`  batch ${size} is done`);
  return sums;
}

const began = performance.now();
await Promise.all(Object.keys(starters).map(start));
const result = [];
for (const size of sizes) {
  const sums = await race(size);
  const rate = (name: string) => (running.has(name) ? (sums.get(name)!.events / sums.get(name)!.ms) * 1000 : undefined);
  const ratio = (own: string, name: string) =>
    starters[name] && !name.startsWith("gatehouse") && rate(own) && rate(name)
      ? Number((rate(own)! / rate(name)!).toFixed(2))
      : "";
  const rows = Object.keys(starters).flatMap(name => {
    const sum = running.has(name) ? sums.get(name) : undefined;
    if (!sum) return [];
    return {
      peer: name,
      batch: size,
      "events/s": Math.round(rate(name)!),
      "HTTP / peer": ratio(HTTP, name),
      "without HTTP / peer": ratio(DIRECT, name),
      "peer µs/event": Math.round((sum.peer_ms * 1000) / sum.events),
      "generator µs/event": Math.round((sum.generator_ms * 1000) / sum.events),
    };
  });
  console.table(rows);
  result.push(...rows);
}
for (const [name, contestant] of running)
  await within(STOP_S_MAX, "stopping", contestant.stop()).catch(error => console.error(`  ${name}: ${error}`));
rmSync(folder, { recursive: true, force: true });
console.log(`${Math.round((performance.now() - began) / 1000)} s; every ratio above 1 is ahead of that peer`);
console.log(JSON.stringify({ absent, rows: result }));
process.exit(0);
