import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Feed } from "../feed.ts";
import { post } from "../load.ts";
import { type Contestant, Lines, within } from "./contestant.ts";
import { buildBetterSqlite, installPeers, peersFolder } from "./packages.ts";

/** With better-sqlite3. */
export async function startOnNode(folder: string, connections: number): Promise<Contestant> {
  await buildBetterSqlite();
  return start("node", folder, connections);
}

/** With the SQLite of this very Bun. */
export async function startOnBun(folder: string, connections: number): Promise<Contestant> {
  await installPeers();
  return start(process.execPath, folder, connections);
}

async function start(command: string, folder: string, connections: number): Promise<Contestant> {
  mkdirSync(folder);
  const child = spawn(command, [join(peersFolder, "fastify-sqlite.mjs"), join(folder, "events.sqlite")]);
  const lines = new Lines(await within(20, "fastify", ready(child)));
  const feeds = Array.from({ length: connections }, () => new Feed());
  return {
    pid: child.pid!,
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
    child.on("close", () => reject(new Error(`it ended: ${reasonIn(errors)}`)));
  });
}

const reasonIn = (errors: string) =>
  errors.split("\n").find(line => /Error|Could not|cannot/i.test(line) && !line.includes("new Error")) ?? errors;
