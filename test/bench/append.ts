/** Appending in process, in turns with a plain table that does nothing of what the log does. */
import { join } from "node:path";
import { readEvent } from "../../src/domain/audit/event.ts";
import type { OrgStore } from "../../src/store/org-store.ts";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { Feed, prepare } from "./feed.ts";
import type { Figure } from "./figures.ts";

const agents = 8;
const insert = "INSERT INTO event(ts, agent, type, decision, body) VALUES (?, ?, ?, ?, ?)";

/** The baseline: parse, and insert into a table of two indices, one transaction a batch, `synchronous=FULL`. */
export function openPlain(folder: string): (agent: string, text: string) => void {
  const db = openDatabase(join(folder, "plain.sqlite"));
  db.exec(`PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=4000; PRAGMA cache_size=-16384;
    CREATE TABLE event(seq INTEGER PRIMARY KEY, ts INTEGER, agent TEXT, type TEXT, decision TEXT, body TEXT);
    CREATE INDEX event_ts ON event(ts); CREATE INDEX event_type ON event(type, ts);`);
  return (agent, text) =>
    db.transact(() => {
      for (const event of JSON.parse(text))
        db.query(insert).run(Date.now(), agent, event.type, event.decision ?? null, JSON.stringify(event));
    });
}

export function append(store: OrgStore, agent: string, text: string): void {
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

class Spent {
  ms = 0;
  cpu_us = 0;

  on(work: () => void): void {
    const cpu = process.cpuUsage();
    const start = performance.now();
    work();
    this.ms += performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    this.cpu_us += user + system;
  }
}

/** Both in turns of some thousand events, so that a noisy machine hits them alike. */
export class Race {
  readonly #store: OrgStore;
  readonly #plain: (agent: string, text: string) => void;
  readonly #feeds = Array.from({ length: agents }, () => new Feed());

  constructor(store: OrgStore, plain: (agent: string, text: string) => void) {
    this.#store = store;
    this.#plain = plain;
  }

  run(events: number, batch: number): Figure[] {
    prepare(batch);
    const [ours, theirs] = [new Spent(), new Spent()];
    const turn = Math.max(1, Math.min(Math.ceil(8_000 / batch), Math.ceil(events / batch)));
    let n = 0;
    for (; n < events; n += turn * batch) {
      const texts = Array.from({ length: turn }, (_, i) => this.#feeds[i % agents]!.batch(batch).toString());
      ours.on(() => texts.forEach((text, i) => void append(this.#store, `agt_${i % agents}`, text)));
      theirs.on(() => texts.forEach((text, i) => void this.#plain(`agt_${i % agents}`, text)));
    }
    const name = `in process, batch ${batch}`;
    return [
      { name, value: (n / ours.ms) * 1000, unit: "events/s" },
      { name: `plain table, batch ${batch}`, value: (n / theirs.ms) * 1000, unit: "events/s" },
      {
        name: `${name} / plain table`,
        value: theirs.ms / ours.ms,
        unit: "ratio",
        ...(batch >= 100 ? { goal: ">= 0.8" } : {}),
      },
      { name: `${name} / plain table, processor`, value: theirs.cpu_us / ours.cpu_us, unit: "ratio" },
      { name: `${name}, processor`, value: ours.cpu_us / n, unit: "µs/event" },
    ];
  }
}
