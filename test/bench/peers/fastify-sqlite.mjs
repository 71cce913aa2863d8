/**
 * The peer most teams would write: Fastify and better-sqlite3, one row an event, the same chain (salted digest, canonical
 * leaf, Merkle edge), de-duplication and two indices; no redaction and no counters. `node fastify-sqlite.mjs FILE`; under
 * Bun with its own SQLite, which has the same interface.
 */
import { createHash, randomBytes } from "node:crypto";
import Fastify from "fastify";

const { default: Database } = await import("Bun" in globalThis ? "bun:sqlite" : "better-sqlite3");

const db = new Database(process.argv[2]);
db.exec(`PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=4000; PRAGMA cache_size=-16384;
  CREATE TABLE event(seq INTEGER PRIMARY KEY, ts INTEGER, agent TEXT, id TEXT, type TEXT, decision TEXT, salt BLOB, hash BLOB, body TEXT, UNIQUE(agent, id));
  CREATE INDEX event_ts ON event(ts); CREATE INDEX event_type ON event(type, ts);`);
const insert = db.prepare("INSERT OR IGNORE INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
const sha256 = (...parts) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

let size = 0;
let prev = Buffer.alloc(32);
const edge = [];
const [leafMark, nodeMark] = [Buffer.of(0), Buffer.of(1)];

function grow(hash) {
  let [index, height] = [size++, 0];
  for (; index % 2 === 1; index = Math.floor(index / 2)) hash = sha256(nodeMark, edge[height++], hash);
  edge[height] = hash;
}

const store = db.transaction((agent, events) => {
  let duplicates = 0;
  for (const event of events) {
    const { id, type, decision } = event;
    const body = JSON.stringify(event);
    const salt = randomBytes(16);
    const ts = Date.now();
    const digest = sha256(salt, body).toString("hex");
    const leaf = {
      agent,
      ...(decision ? { decision } : {}),
      digest,
      kind: type,
      prev: prev.toString("hex"),
      seq: size,
      ts,
    };
    const hash = sha256(leafMark, JSON.stringify(leaf));
    if (insert.run(size, ts, agent, id, type, decision ?? null, salt, hash, body).changes === 0) duplicates++;
    else grow((prev = hash));
  }
  return duplicates;
});

const event = {
  type: "object",
  required: ["id", "time", "type"],
  properties: {
    id: { type: "string", pattern: "^[A-Za-z0-9._:-]{1,128}$" },
    time: { type: "string", maxLength: 40 },
    type: { type: "string", pattern: "^[a-z0-9._-]{1,128}$" },
    decision: { enum: ["ALLOW", "WARN", "ASK", "BLOCK"] },
  },
};
const app = Fastify({ bodyLimit: 8 << 20 });
app.post("/api/events", { schema: { body: { type: "array", items: event, maxItems: 5000 } } }, request => {
  const duplicates = store(request.headers.authorization, request.body);
  return {
    accepted: request.body.length - duplicates,
    duplicates,
    head: { seq: size - 1, hash: prev.toString("hex") },
  };
});
console.log(`ready at ${await app.listen({ port: 0, host: "127.0.0.1" })}`);
