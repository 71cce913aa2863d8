/** One worker's host on a folder of its own, asked directly, and how long its answers take. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorld } from "../../../src/actor/open-world.ts";
import { OrgHost } from "../../../src/actor/org-host.ts";
import type { FromWorker, Intro, Start } from "../../../src/actor/protocol.ts";
import { openKeys } from "../../../src/key-files.ts";
import { openOrgStore } from "../../../src/store/open.ts";
import { batchOf } from "../events.ts";
import { quantile } from "../figures.ts";

export type Row = Record<string, number>;
export type Rows = Record<string, Row>;

const intro: Intro = { recorded: null, standing: { entitled: false, retention_days: null } };
const actor = { kind: "system", id: "bench" };

export function openHost(data: string) {
  mkdirSync(join(data, "orgs"), { recursive: true });
  const keys = openKeys(join(data, "keys"), { fresh: !readdirSync(data).includes("keys"), now: Date.now });
  const start: Start = { kind: "start", orgs: join(data, "orgs"), keys, stores_max: 200, heartbeat_s: 60 };
  let last: FromWorker | undefined;
  const host = new OrgHost({
    ...openWorld(start, openOrgStore, message => void (last = message)),
    soon: work => work(),
  });
  const ask = (org: string, question: string, input: unknown = null): unknown => {
    last = undefined;
    host.ask({ kind: "ask", id: 1, org, question, input, intro });
    if (!last) host.flush();
    const reply = last as FromWorker | undefined;
    if (reply?.kind !== "answer") throw new Error(`${question}: ${JSON.stringify(reply)}`);
    return reply.answer;
  };
  return { host, ask };
}

type Ask = ReturnType<typeof openHost>["ask"];

export const register = (ask: Ask, org: string, agent: string) =>
  ask(org, "agents.register", { agent: { agent_id: agent, name: agent }, actor });

export const send = (ask: Ask, org: string, agent: string, from: number, count: number) =>
  ingest(ask, org, agent, new TextEncoder().encode(batchOf(from, count)));

export const ingest = (ask: Ask, org: string, agent: string, bytes: Uint8Array) =>
  void ask(org, "events.ingest", { agent, media: "json", encoding: "identity", bytes });

/** By the clock at the median and the 99th percentile, and processor time on average, which other programs do not change. */
export function timed(name: string, times: number, work: (turn: number) => void): Row {
  const cpu = process.cpuUsage();
  const taken = Array.from({ length: times }, (_, turn) => {
    const start = performance.now();
    work(turn);
    return performance.now() - start;
  });
  const { user, system } = process.cpuUsage(cpu);
  return {
    [`${name} p50`]: round(quantile(taken, 0.5)),
    [`${name} p99`]: round(quantile(taken, 0.99)),
    [`${name} cpu`]: round((user + system) / times / 1000),
  };
}

export const round = (ms: number) => Math.round(ms * 100) / 100;

/** A row as soon as it is known: the next takes ten times as long. */
export function tell(rows: Rows, size: number, row: Row): void {
  rows[size.toLocaleString("en")] = row;
  console.error(`  ${size.toLocaleString("en")}: ${JSON.stringify(row)}`);
}

export const folderBytes = (folder: string) =>
  readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

/** Resident memory, MB, when what is no longer needed has been let go. */
export function residentMb(): number {
  Bun.gc(true);
  return Math.round(process.memoryUsage.rss() / 1e6);
}

export function withFolder(work: (data: string) => Rows): Rows {
  const data = mkdtempSync(join(tmpdir(), "gatehouse-growth-"));
  try {
    return work(data);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
