import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Feed } from "../feed.ts";
import { post } from "../load.ts";
import { type Contestant, Lines, within } from "./contestant.ts";
import { installPeers, peersFolder } from "./packages.ts";

type Start = (folder: string, connections: number) => Promise<Contestant>;

/** `runtime`: `node` for better-sqlite3, or this very Bun for its own SQLite. */
export const fastifyOn =
  (runtime: "node" | "bun"): Start =>
  (folder, connections) =>
    start(runtime === "node" ? "node" : process.execPath, folder, connections);

async function start(command: string, folder: string, connections: number): Promise<Contestant> {
  installPeers();
  mkdirSync(folder);
  const child = spawn(command, [join(peersFolder, "fastify-sqlite.mjs"), join(folder, "events.sqlite")]);
  const url = await within(20, "fastify", ready(child));
  const lines = new Lines(url);
  const feeds = Array.from({ length: connections }, () => new Feed());
  return {
    send: (connection, size) =>
      lines.send(connection, post("/api/events", `agt_${connection}`, feeds[connection]!.batch(size))),
    async stop() {
      lines.close();
      child.kill();
    },
  };
}

function ready(child: ReturnType<typeof spawn>): Promise<string> {
  let errors = "";
  return new Promise((resolve, reject) => {
    child.stderr!.on("data", text => (errors += text));
    child.stdout!.on("data", text => resolve(/ready at (\S+)/.exec(String(text))?.[1] ?? ""));
    child.on("error", reject);
    child.on("close", () =>
      reject(
        new Error(
          `it ended: ${errors.split("\n").find(line => /Error|Could not|cannot/i.test(line) && !line.includes("new Error")) ?? errors}`,
        ),
      ),
    );
  });
}
