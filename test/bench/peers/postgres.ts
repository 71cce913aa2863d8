import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Feed } from "../feed.ts";
import type { Contestant } from "./contestant.ts";
import { installPeers, peersFolder } from "./packages.ts";

/** A PostgreSQL of its own on a Unix socket, durable as shipped (`fsync`, `synchronous_commit`), with room for its WAL. */
const settings = ["listen_addresses=", "shared_buffers=256MB", "max_wal_size=4GB", "max_connections=64"];
const schema = `
  CREATE TABLE event(seq bigserial PRIMARY KEY, ts timestamptz NOT NULL DEFAULT now(), agent text, id text, type text, decision text, body text);
  CREATE INDEX ON event(ts); CREATE INDEX ON event(type, ts);`;

interface Client {
  connect(): Promise<void>;
  query(text: string, values?: unknown[]): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: a stream of a package that is not there when this is compiled
  query(stream: any): NodeJS.WritableStream;
  end(): Promise<void>;
}

interface Event {
  id: string;
  type: string;
  decision?: string;
}

type Send = (client: Client, agent: string, events: Event[]) => Promise<void>;

export const startInsert = (folder: string, connections: number): Promise<Contestant> => {
  const insert = `INSERT INTO event(agent, id, type, decision, body)
    SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`;
  return start(
    folder,
    connections,
    `${schema} CREATE UNIQUE INDEX ON event(agent, id);`,
    async (client, agent, events) => {
      const columns = [
        events.map(event => event.id),
        events.map(event => event.type),
        events.map(event => event.decision ?? null),
        events.map(event => JSON.stringify(event)),
      ];
      await client.query(insert, [agent, ...columns]);
    },
  );
};

export const startCopy = (folder: string, connections: number): Promise<Contestant> => {
  installPeers();
  const { from } = createRequire(join(peersFolder, "package.json"))("pg-copy-streams");
  return start(folder, connections, schema, async (client, agent, events) => {
    const line = (event: Event) =>
      `${[agent, event.id, event.type, event.decision ?? "\\N", escaped(JSON.stringify(event))].join("\t")}\n`;
    const stream = client.query(from("COPY event(agent, id, type, decision, body) FROM STDIN"));
    await pipeline(Readable.from([events.map(line).join("")]), stream);
  });
};

const escaped = (text: string) => text.replaceAll("\\", "\\\\");

async function start(folder: string, connections: number, tables: string, send: Send): Promise<Contestant> {
  installPeers();
  const { Client } = createRequire(join(peersFolder, "package.json"))("pg") as { Client: new (o: object) => Client };
  const stopServer = startServer(folder);
  const options = { host: folder, user: "bench", database: "postgres" };
  await connected(() => new Client(options), 15_000).then(async client => {
    await client.query(tables);
    await client.end();
  });
  const clients = await Promise.all(
    Array.from({ length: connections }, () => connected(() => new Client(options), 5_000)),
  );
  const feeds = clients.map(() => new Feed());
  return {
    send: (connection, size) =>
      send(clients[connection]!, `agt_${connection}`, JSON.parse(feeds[connection]!.batch(size).toString())),
    async stop() {
      await Promise.all(clients.map(client => client.end()));
      await stopServer();
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

function startServer(folder: string): () => Promise<void> {
  mkdirSync(folder);
  chmodSync(join(folder, ".."), 0o755);
  if (isRoot) chownSync(folder, 65534, 65534);
  const data = join(folder, "data");
  const [command, ...before] = as as [string, ...string[]];
  const initdb = [...before, `${programs()}initdb`, "-D", data, "-U", "bench", "-A", "trust", "-E", "UTF8"];
  execFileSync(command, initdb, { stdio: "pipe", cwd: folder });
  const options = settings.flatMap(setting => ["-c", setting]);
  const server = [...before, `${programs()}postgres`, "-D", data, "-k", folder, ...options];
  const child = spawn(command, server, { stdio: "ignore", cwd: folder });
  return async () => {
    const closed = new Promise(resolve => child.on("close", resolve));
    child.kill("SIGINT");
    await closed;
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
