/**
 * How cost grows: `npm run bench:growth [events=1000000] [organisations=10000] [agents=10000]`. One organisation of 10^4 to so many
 * events, 1 to so many organisations on one thread, 1 to so many agents polling (304) and reporting in over HTTP.
 * Prints three tables and, as the last line, JSON.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorld } from "../../src/actor/open-world.ts";
import { OrgHost } from "../../src/actor/org-host.ts";
import type { FromWorker, Intro, Start } from "../../src/actor/protocol.ts";
import { openKeys } from "../../src/key-files.ts";
import { openOrgStore } from "../../src/store/open.ts";
import { createWorld } from "../world.ts";
import { batchOf } from "./events.ts";
import { measure, post } from "./load.ts";

const [events_max = 1_000_000, orgs_max = 10_000, agents_max = 10_000] = process.argv.slice(2).map(Number);
const BATCH = 1000;
const intro: Intro = { recorded: null, standing: { entitled: true, retention_days: null } };
const actor = { kind: "system", id: "bench" };

/** One worker's host on a folder of its own, asked directly. */
function openHost(data: string) {
  mkdirSync(join(data, "orgs"), { recursive: true });
  const keys = openKeys(join(data, "keys"), { fresh: !readdirSync(data).includes("keys"), now: Date.now });
  const start: Start = { kind: "start", orgs: join(data, "orgs"), keys, stores_max: 200, heartbeat_s: 60 };
  let last: FromWorker | undefined;
  const host = new OrgHost({ ...openWorld(start, openOrgStore, message => void (last = message)), soon: () => {} });
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

const register = (ask: Ask, org: string, agent: string) =>
  ask(org, "agents.register", { agent: { agent_id: agent, name: agent }, actor });

function send(ask: Ask, org: string, agent: string, from: number, count: number): void {
  const bytes = new TextEncoder().encode(batchOf(from, count));
  ask(org, "events.ingest", { agent, media: "json", encoding: "identity", bytes });
}

interface Times {
  p50_ms: number;
  p99_ms: number;
}

function timed(times: number, work: (turn: number) => void): Times {
  const took = Array.from({ length: times }, (_, turn) => {
    const start = performance.now();
    work(turn);
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const at = (q: number) => round(took[Math.floor(q * (took.length - 1))]!);
  return { p50_ms: at(0.5), p99_ms: at(0.99) };
}

const round = (ms: number) => Math.round(ms * 100) / 100;
const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
const folderBytes = (folder: string) =>
  readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
const rss = () => {
  Bun.gc(true);
  return megabytes(process.memoryUsage.rss());
};

function withFolder(work: (data: string) => object): object {
  const data = mkdtempSync(join(tmpdir(), "gatehouse-growth-"));
  try {
    return work(data);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** One organisation that grows. */
function growEvents(data: string) {
  const rows: Record<string, object> = {};
  let size = 0;
  for (let target = 10_000; target <= events_max; target *= 10) {
    const { host, ask } = openHost(data);
    if (size === 0) register(ask, "org_a", "agt_a");
    const started = performance.now();
    for (; size < target; size += BATCH) send(ask, "org_a", "agt_a", size, BATCH);
    const per_second = Math.round((target * 0.9 * 1000) / (performance.now() - started));
    for (let idle = 0; idle < 3; idle++) host.tick();
    host.close();
    const again = openHost(data);
    const open_ms = timed(1, () => again.ask("org_a", "org.mode")).p50_ms;
    const head = (again.ask("org_a", "audit.newest") as number) + 1;
    const pages = timed(200, () => again.ask("org_a", "audit.page", { limit: 50 }));
    const deep = timed(200, turn => again.ask("org_a", "audit.page", { limit: 50, to_ms: Date.now() - turn }));
    const filtered = timed(50, () =>
      again.ask("org_a", "audit.page", { limit: 50, kind: "shell.exec", decision: "BLOCK" }),
    );
    const stats = timed(50, () => again.ask("org_a", "audit.stats", {}));
    rows[target.toLocaleString("en")] = {
      "events/s": per_second,
      "open ms": open_ms,
      "page p50": pages.p50_ms,
      "page p99": pages.p99_ms,
      "until p99": deep.p99_ms,
      "filter p99": filtered.p99_ms,
      "stats p99": stats.p99_ms,
      "bytes/event": Math.round(folderBytes(join(data, "orgs")) / head),
      "file MB": megabytes(folderBytes(join(data, "orgs"))),
      "rss MB": rss(),
    };
    again.host.close();
  }
  return rows;
}

/** Organisations beside each other on one thread, of which it keeps 200 open. */
function growOrganisations(data: string) {
  const rows: Record<string, object> = {};
  const { host, ask } = openHost(data);
  let made = 0;
  for (const target of [1, 100, 1000, 10_000].filter(count => count <= orgs_max)) {
    const found = timed(target - made, () => {
      const org = `org_${made++}`;
      register(ask, org, "agt_a");
      send(ask, org, "agt_a", 0, 10);
    });
    const any = (turn: number) => `org_${(turn * 7919) % made}`;
    const pages = timed(1000, turn => ask(any(turn), "audit.page", { limit: 50 }));
    const checks = timed(1000, turn => send(ask, any(turn), "agt_a", 100 + Math.floor(turn / made) * 10, 10));
    rows[target.toLocaleString("en")] = {
      "found p50": found.p50_ms,
      "page p50": pages.p50_ms,
      "page p99": pages.p99_ms,
      "ingest p50": checks.p50_ms,
      "ingest p99": checks.p99_ms,
      "KB/organisation": Math.round(folderBytes(join(data, "orgs")) / made / 1024),
      "rss MB": rss(),
    };
  }
  host.close();
  return rows;
}

/** Agents of one organisation that poll an unchanged policy and report in, over HTTP. */
async function growAgents() {
  const rows: Record<string, object> = {};
  const world = await createWorld({ GATEHOUSE_LOG_LEVEL: "error" });
  const { directory, dispatch } = world.gatehouse.parts;
  const org = directory.organisations.all()[0]!.id;
  const token = await world.admin();
  const tokens: string[] = [];
  const add = async () => {
    const { agent } = directory.agents.reserve(org);
    await dispatch.ask(org, "agents.register", {
      agent: { agent_id: agent, name: agent },
      actor: { kind: "system", id: "bench" },
    });
    tokens.push(directory.agents.issue(org, agent)!);
  };
  let turn = 0;
  const any = () => tokens[(turn++ * 7919) % tokens.length]!;
  const row = async (request: () => Uint8Array) => {
    const measured = await measure({ url: world.url, connections: 4, seconds: 3, request });
    if (measured.refused > 0) throw new Error(`${measured.refused} requests were refused`);
    return measured;
  };
  const ask = (path: string, bearer: string, more = "") =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${bearer}\r\n${more}\r\n`);
  for (const target of [1, 100, 1000, 10_000].filter(count => count <= agents_max)) {
    while (tokens.length < target)
      await Promise.all(Array.from({ length: Math.min(100, target - tokens.length) }, add));
    const policy = await world.call("GET", "/api/policy", { token: any() });
    const etag = policy.headers.get("etag")!;
    const polls = await row(() => ask("/api/policy", any(), `If-None-Match: ${etag}\r\n`));
    const beats = await row(() => post("/api/heartbeat", any(), '{"platform":"linux","queue_depth":0}'));
    const list = await row(() => ask("/api/agents?limit=50", token));
    const dashboard = await row(() => ask("/api/dashboard", token));
    rows[target.toLocaleString("en")] = {
      "304/s": Math.round(polls.per_second),
      "304 p50": round(polls.p50_ms),
      "304 p99": round(polls.p99_ms),
      "beats/s": Math.round(beats.per_second),
      "beat p50": round(beats.p50_ms),
      "beat p99": round(beats.p99_ms),
      "list p50": round(list.p50_ms),
      "dashboard p50": round(dashboard.p50_ms),
      "rss MB": rss(),
    };
  }
  await world.close();
  return rows;
}

const parts = {
  agents: growAgents,
  organisations: () => withFolder(growOrganisations),
  events: () => withFolder(growEvents),
};
const result: Record<string, object> = {};
for (const [name, grow] of Object.entries(parts)) {
  result[name] = await grow();
  console.log(name);
  console.table(result[name]);
}
console.log(JSON.stringify(result));
process.exit(0);
