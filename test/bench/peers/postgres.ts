import { execFile, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { Feed } from "../feed.ts";
import { type Contestant, within } from "./contestant.ts";
import { installPeers, peersFolder } from "./packages.ts";

/** A PostgreSQL of its own on a Unix socket, durable as shipped (`fsync`, `synchronous_commit`), with room for its WAL. */
const settings = ["listen_addresses=", "shared_buffers=256MB", "max_wal_size=4GB", "max_connections=64"];
const schema = `
  CREATE TABLE event(seq bigserial PRIMARY KEY, ts timestamptz NOT NULL DEFAULT now(), agent text, id text, type text, decision text, body text);
  CREATE INDEX ON event(ts); CREATE INDEX ON event(type, ts);`;
const INITDB_MS_MAX = 60_000;

interface Client {
  connect(): Promise<void>;
  query(query: { name: string; text: string; values: unknown[] } | string): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: a stream of a package that is not there when this is compiled
  query(stream: any): NodeJS.WritableStream;
  end(): Promise<void>;
}

interface Event {
  id: string;
  type: string;
  decision?: string;
}

/** `bodies`: the events as texts. */
type Send = (client: Client, agent: string, bodies: string[]) => Promise<void>;

export const startInsert = (folder: string, connections: number): Promise<Contestant> => {
  const text = `INSERT INTO event(agent, id, type, decision, body)
    SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`;
  const tables = `${schema} CREATE UNIQUE INDEX ON event(agent, id);`;
  return start(folder, connections, tables, async (client, agent, bodies) => {
    const events = bodies.map(body => JSON.parse(body) as Event);
    const columns = [events.map(event => event.id), events.map(event => event.type), events.map(decisionOf), bodies];
    // Named: planned once a connection.
    await client.query({ name: "insert", text, values: [agent, ...columns] });
  });
};

const decisionOf = ({ decision }: Event) => decision ?? null;

export const startCopy = async (folder: string, connections: number): Promise<Contestant> => {
  await installPeers();
  const { from } = createRequire(join(peersFolder, "package.json"))("pg-copy-streams");
  return start(folder, connections, schema, async (client, agent, bodies) => {
    const stream = client.query(from("COPY event(agent, id, type, decision, body) FROM STDIN"));
    await pipeline(Readable.from([bodies.map(body => line(agent, body)).join("")]), stream);
  });
};

function line(agent: string, body: string): string {
  const { id, type, decision } = JSON.parse(body) as Event;
  return `${[agent, id, type, decision ?? "\\N", body.replaceAll("\\", "\\\\")].join("\t")}\n`;
}

async function start(folder: string, connections: number, tables: string, send: Send): Promise<Contestant> {
  await installPeers();
  const { Client } = createRequire(join(peersFolder, "package.json"))("pg") as { Client: new (o: object) => Client };
  const server = await startServer(folder);
  const connect = () => connected(() => new Client({ host: folder, user: "bench", database: "postgres" }), 15_000);
  const first = await connect();
  await first.query(tables);
  const clients = [first, ...(await Promise.all(Array.from({ length: connections - 1 }, connect)))];
  const feeds = clients.map(() => new Feed());
  return {
    pid: server.pid,
    send: (connection, size) => send(clients[connection]!, `agt_${connection}`, feeds[connection]!.each(size)),
    async stop() {
      await Promise.all(clients.map(client => client.end()));
      await server.stop();
    },
  };
}

/** The directory of the programs: `/usr/lib/postgresql/*` (Debian), or the PATH. */
function programs(): string {
  const debian = "/usr/lib/postgresql";
  const newest = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a))[0] : undefined;
  return newest ? join(debian, newest, "bin/") : "";
}

/** PostgreSQL refuses to run as root: then it runs as nobody. */
const isRoot = process.getuid?.() === 0;
const as = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : ["env"];

async function startServer(folder: string): Promise<{ pid: number; stop(): Promise<void> }> {
  mkdirSync(folder);
  chmodSync(join(folder, ".."), 0o755);
  if (isRoot) chownSync(folder, 65534, 65534);
  const data = join(folder, "data");
  const [command, ...before] = as as [string, ...string[]];
  const initdb = [
    ...before,
    `${programs()}initdb`,
    "-D",
    data,
    "-U",
    "bench",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--no-sync",
  ];
  await promisify(execFile)(command, initdb, { cwd: folder, timeout: INITDB_MS_MAX });
  const options = settings.flatMap(setting => ["-c", setting]);
  const server = [...before, `${programs()}postgres`, "-D", data, "-k", folder, ...options];
  const child = spawn(command, server, { stdio: "ignore", cwd: folder });
  return {
    pid: child.pid!,
    async stop() {
      const closed = new Promise<void>(resolve => child.on("close", () => resolve()));
      child.kill("SIGINT");
      await within(30, "stopping PostgreSQL", closed).catch(() => child.kill("SIGQUIT"));
    },
  };
}

async function connected(make: () => Client, patience_ms: number): Promise<Client> {
  const until = performance.now() + patience_ms;
  for (;;) {
    const client = make();
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (performance.now() > until) throw error;
      await new Promise(resolve => setTimeout(resolve, 200));
    }
  }
}
