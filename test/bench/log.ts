/**
 * The log in process against a plain SQLite table with two indices that does nothing of what the log does, in the same
 * run: `bun test/bench/log.ts [events=200000] [batch=1000]`. Both parse the same JSON batches and commit with
 * `synchronous=FULL`. Prints rates, bytes an event, verification, reopening and pages.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEvent } from "../../src/domain/audit/event.ts";
import { sha256 } from "../../src/store/crypto.ts";
import { openOrgStore } from "../../src/store/open.ts";
import type { OrgStore } from "../../src/store/org-store.ts";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { finish, storeWorld } from "../store/fixture.ts";
import { batchOf } from "./events.ts";

const events = Number(process.argv[2] ?? 200_000);
const batch = Number(process.argv[3] ?? 1_000);
const folder = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
const world = { ...storeWorld(), now: Date.now };

const timed = (work: () => void): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};
const perSecond = (count: number, ms: number) => `${Math.round(count / ms)}k/s`;
const quantile = (times: number[], q: number) => times.sort((a, b) => a - b)[Math.floor(q * (times.length - 1))]!;

function baseline(): (text: string) => void {
  const db = openDatabase(join(folder, "plain.sqlite"));
  db.exec(`PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=4000; PRAGMA cache_size=-16384;
    CREATE TABLE event(seq INTEGER PRIMARY KEY, ts INTEGER, agent TEXT, type TEXT, decision TEXT, body TEXT);
    CREATE INDEX event_ts ON event(ts); CREATE INDEX event_type ON event(type, ts);`);
  const insert = "INSERT INTO event(ts, agent, type, decision, body) VALUES (?, ?, ?, ?, ?)";
  return text =>
    db.transact(() => {
      for (const event of JSON.parse(text))
        db.query(insert).run(Date.now(), "agt_1", event.type, event.decision ?? null, JSON.stringify(event));
    });
}

function append(store: OrgStore, agent: string, text: string): void {
  store.commit(() => {
    for (const raw of JSON.parse(text)) {
      const read = readEvent(raw, () => false);
      if ("fault" in read) throw new Error(read.fault.message);
      const { type: kind, id, decision } = read.event;
      const { body, facets } = read;
      store.log.append({ stream: "telemetry", kind, agent, id, body, facets, decision });
    }
  });
}

/** Rounds of both in turn, so that a noisy machine hits them alike. */
function race(store: OrgStore): void {
  const plain = baseline();
  let [ours, theirs, n] = [0, 0, 0];
  const cpu = { ours: 0, theirs: 0 };
  const spent = (who: keyof typeof cpu, work: () => void) => {
    const before = process.cpuUsage();
    const ms = timed(work);
    const { user, system } = process.cpuUsage(before);
    cpu[who] += user + system;
    return ms;
  };
  while (n < events) {
    const texts = Array.from({ length: Math.max(1, Math.ceil(10_000 / batch)) }, () =>
      batchOf((n += batch) - batch, batch),
    );
    ours += spent("ours", () => texts.forEach((text, i) => void append(store, `agt_${i % 8}`, text)));
    theirs += spent("theirs", () => texts.forEach(plain));
  }
  console.log(
    `append   batch ${batch}: log ${perSecond(n, ours)}, plain table ${perSecond(n, theirs)}, ratio ${(theirs / ours).toFixed(2)}`,
  );
  console.log(
    `cpu      an event: log ${(cpu.ours / n).toFixed(1)} µs, plain table ${(cpu.theirs / n).toFixed(1)} µs, ratio ${(cpu.theirs / cpu.ours).toFixed(2)}`,
  );
}

function sizes(path: string, size: number): void {
  const db = openDatabase(path);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const tables = db.query<{ name: string; bytes: number }>(
    "SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name ORDER BY bytes DESC LIMIT 4",
  );
  let parts = "";
  try {
    parts = tables
      .all()
      .map(({ name, bytes }) => `${name} ${(bytes / size).toFixed(1)}`)
      .join(", ");
  } catch {
    parts = "no dbstat here";
  }
  db.close();
  console.log(
    `bytes    an event: ${(statSync(path).size / size).toFixed(1)} (${parts}); plain ${(statSync(join(folder, "plain.sqlite")).size / size).toFixed(0)}`,
  );
}

function pages(store: OrgStore): void {
  const queries = {
    newest: {},
    "by agent": { agent: "agt_3" },
    "by kind": { kind: "file.write" },
    blocked: { decision: "BLOCK" as const },
    "rare, three filters": { kind: "net.fetch", agent: "agt_5", decision: "BLOCK" as const },
    "rare rule": { rule: "shell.rare" },
    "nothing found": { kind: "net.fetch", rule: "shell.rare", decision: "ASK" as const },
  };
  for (const [name, query] of Object.entries(queries)) {
    let found = 0;
    const times = Array.from({ length: 40 }, () =>
      timed(() => (found = store.log.page({ ...query, limit: 50 }).entries.length)),
    );
    console.log(
      `page     ${name}: ${found} found, p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
    );
  }
  const size = store.log.head().size;
  const deep = Array.from({ length: 60 }, (_, i) =>
    timed(() => void store.log.page({ cursor: `e${Math.floor((size * i) / 60).toString(36)}` })),
  );
  console.log(`page     anywhere: p50 ${quantile(deep, 0.5).toFixed(1)} ms, p99 ${quantile(deep, 0.99).toFixed(1)} ms`);
  console.log(
    `stats    all: ${timed(() => void store.audit.stats({})).toFixed(1)} ms; parts of hours: ${timed(() => void store.audit.stats({ from_ms: 1, to_ms: Date.now() - 1000 })).toFixed(1)} ms`,
  );
}

/** What the hashing alone costs on this processor: digest, leaf and tree node of each event. */
function hashing(): void {
  const [body, leaf, node, into] = [330, 255, 65, 32].map(length => new Uint8Array(length)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const ms = timed(() => {
    for (let i = 0; i < 100_000; i++) for (const bytes of [body, leaf, node]) sha256(bytes, into);
  });
  console.log(`hashing  alone: ${(ms / 100).toFixed(1)} µs an event, ${perSecond(100_000, ms)}`);
}

const path = join(folder, "org.sqlite");
hashing();
let store = openOrgStore({ path }, world);
race(store);
const size = store.log.head().size;
let [merges, longest] = [0, 0];
const merging = timed(() => {
  for (let more = true; more; )
    (longest = Math.max(
      longest,
      timed(() => void (more = store.log.tidy())),
    )),
      merges++;
});
console.log(
  `merging  ${((merging * 1000) / size).toFixed(1)} µs an event, longest step ${longest.toFixed(1)} ms (${merges} steps)`,
);
store.close();
sizes(path, size);
console.log(`reopen   ${timed(() => void (store = openOrgStore({ path }, world))).toFixed(1)} ms`);
let valid = false;
let slice = 0;
const verifying = timed(() => {
  const steps = store.log.verify();
  for (;;) {
    let step: ReturnType<typeof steps.next> | undefined;
    slice = Math.max(
      slice,
      timed(() => void (step = steps.next())),
    );
    if (step!.done) return void (valid = step!.value.valid);
  }
});
console.log(`verify   ${perSecond(size, verifying)}, longest slice ${slice.toFixed(0)} ms, valid: ${valid}`);
pages(store);
const erasing = timed(() => void finish(store.log.eraseBodies({ before_ms: Date.now() + 60_000 })));
console.log(
  `erase    ${((erasing * 1000) / size).toFixed(1)} µs an event, still valid: ${finish(store.log.verify()).valid}`,
);
store.close();
rmSync(folder, { recursive: true });
