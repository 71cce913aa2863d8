/**
 * The server beside its peers, all at equal durability (one fsync a commit), with the same events and batch sizes, in turns
 * within one run: `npm run bench:peers -- [seconds a turn=3] [rounds=2]`. Peers that cannot be had are named with the
 * reason. Prints events a second and the ratio to each peer; the last line is JSON.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare } from "./feed.ts";
import { type Figure, printFigures } from "./figures.ts";
import { fastifyOn } from "./peers/fastify.ts";
import { startGatehouse } from "./peers/gatehouse.ts";
import type { Contestant } from "./peers/contestant.ts";
import { startCopy, startInsert } from "./peers/postgres.ts";
import { startRedis } from "./peers/redis.ts";

const [seconds = "3", rounds = "2"] = process.argv.slice(2);
const connections = 16;
const sizes = [1, 10, 100, 1000];

const own = "gatehouse over HTTP";
const starters: Record<string, (folder: string, connections: number) => Promise<Contestant>> = {
  [own]: startGatehouse,
  "fastify + better-sqlite3 (node), same chain, over HTTP": fastifyOn("node"),
  "fastify + bun:sqlite (bun), same chain, over HTTP": fastifyOn("bun"),
  "postgresql, batch insert, no chain": startInsert,
  "postgresql, copy, no chain, no de-duplication": startCopy,
  "redis streams, appendfsync always, no chain, no index": startRedis,
};

/** Events acknowledged a second, with one batch under way on each connection. */
async function turn(contestant: Contestant, size: number): Promise<{ events: number; ms: number }> {
  const start = performance.now();
  const until = start + Number(seconds) * 1000;
  let events = 0;
  const line = async (_: unknown, connection: number) => {
    for (; performance.now() < until; events += size) await contestant.send(connection, size);
  };
  await Promise.all(Array.from({ length: connections }, line));
  return { events, ms: performance.now() - start };
}

const folder = mkdtempSync(join(tmpdir(), "gatehouse-peers-"));
const running = new Map<string, Contestant>();
for (const [at, [name, start]] of Object.entries(starters).entries()) {
  try {
    running.set(name, await start(join(folder, `peer-${at}`), connections));
  } catch (error) {
    console.log(`absent: ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const figures: Figure[] = [];
for (const size of sizes) {
  prepare(size);
  const sums = new Map([...running.keys()].map(name => [name, { events: 0, ms: 0 }]));
  for (let round = 0; round < Number(rounds); round++)
    for (const [name, contestant] of running) {
      const { events, ms } = await turn(contestant, size);
      const sum = sums.get(name)!;
      sum.events += events;
      sum.ms += ms;
    }
  const rate = (name: string) => (sums.get(name)!.events / sums.get(name)!.ms) * 1000;
  for (const name of running.keys())
    figures.push({ name: `${name}, batch ${size}`, value: rate(name), unit: "events/s" });
  for (const name of running.keys())
    if (name !== own)
      figures.push({
        name: `gatehouse / ${name}, batch ${size}`,
        value: rate(own) / rate(name),
        unit: "ratio",
        goal: "> 1",
      });
}
for (const contestant of running.values()) await contestant.stop();
rmSync(folder, { recursive: true, force: true });
printFigures(figures);
process.exit(0);
