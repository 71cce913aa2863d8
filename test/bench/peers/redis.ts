import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { RedisClient } from "bun";
import { Feed } from "../feed.ts";
import { type Contestant, within } from "./contestant.ts";

/** A Redis of its own that syncs its append-only file before it answers; the commands of a batch go in one pipeline. */
export async function startRedis(folder: string, connections: number): Promise<Contestant> {
  mkdirSync(folder);
  const socket = join(folder, "redis.sock");
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", "", "--dir", folder];
  const child = spawn("redis-server", ["--port", "0", "--unixsocket", socket, ...durable]);
  await within(20, "redis", ready(child));
  const clients = Array.from({ length: connections }, () => new RedisClient(`redis+unix://${socket}`));
  await within(20, "connecting to redis", Promise.all(clients.map(client => client.connect())));
  const feeds = clients.map(() => new Feed());
  return {
    async send(connection, size) {
      const events: object[] = JSON.parse(feeds[connection]!.batch(size).toString());
      const stream = `agt_${connection}`;
      const add = (event: object) => clients[connection]!.send("XADD", [stream, "*", "body", JSON.stringify(event)]);
      await Promise.all(events.map(add));
    },
    async stop() {
      for (const client of clients) client.close();
      child.kill();
    },
  };
}

function ready(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout!.on("data", text => String(text).includes("eady to accept") && resolve());
    child.on("error", reject);
    child.on("close", code => reject(new Error(`redis-server ended with ${code}`)));
  });
}
