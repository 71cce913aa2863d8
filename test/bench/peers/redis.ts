import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { RedisClient } from "bun";
import { Feed } from "../feed.ts";
import { type Contestant, within } from "./contestant.ts";

/**
 * A Redis of its own that syncs its append-only file before it answers, and is not made to rewrite it meanwhile; the commands of
 * a batch go in one pipeline.
 */
export async function startRedis(folder: string, connections: number): Promise<Contestant> {
  mkdirSync(folder);
  const socket = join(folder, "redis.sock");
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--auto-aof-rewrite-percentage", "0"];
  const place = ["--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder];
  const child = spawn("redis-server", [...place, ...durable]);
  await within(20, "redis", ready(child));
  const clients = Array.from({ length: connections }, () => new RedisClient(`redis+unix://${socket}`));
  await within(20, "connecting to redis", Promise.all(clients.map(client => client.connect())));
  const feeds = clients.map(() => new Feed());
  return {
    pid: child.pid!,
    async send(connection, size) {
      const [client, stream] = [clients[connection]!, `agt_${connection}`];
      await Promise.all(feeds[connection]!.each(size).map(body => client.send("XADD", [stream, "*", "body", body])));
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
