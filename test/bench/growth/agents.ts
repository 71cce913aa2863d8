import { call } from "../../world.ts";
import { Bench } from "../http.ts";
import { get, type Line, open, post } from "../load.ts";
import { cpuMs, memory } from "../process.ts";
import { type Row, type Rows, round, tell } from "./host.ts";

const SECONDS = 2;
const CONNECTIONS = 4;
const beat = (n: number) =>
  JSON.stringify({
    platform: ["linux", "macos", "windows"][n % 3],
    queue_depth: 0,
    hooks: [{ client: "claude-code", installed: true, trusted: true }],
    mcp_servers: [
      { name: "github", tools: [{ name: "search_issues", description: "Finds issues." }] },
      { name: "linear" },
    ],
  });

/** Calls of what an agent declares, and by every tenth of what it does not. */
const calls = (n: number) =>
  JSON.stringify({
    events: [["github", "search_issues"], ...(n % 10 === 0 ? [["shadow", "send"]] : [])].map(([server, tool]) => ({
      id: crypto.randomUUID(),
      time: new Date().toISOString(),
      type: "mcp.call",
      client: "claude-code",
      action: { kind: "mcp", server, tool },
    })),
  });

/** 1 to `max` agents of one organisation that poll an unchanged policy and report in, over HTTP to a process of its own. */
export async function growAgents(max: number): Promise<Rows> {
  const rows: Rows = {};
  // Each agent has an address of its own, as a proxy tells: one address may not connect so many.
  const bench = await Bench.start(0, { GATEHOUSE_TRUSTED_PROXIES: "127.0.0.1" });
  const asked = { token: bench.admin, body: { name: "bench", uses: max } };
  const { key } = (await call(bench.url, "POST", "/api/auth/enrolment-keys", asked)).json;
  const tokens: string[] = [];
  for (let target = 1; target <= max; target *= 10) {
    await enrol(bench.url, key, tokens, target);
    tell(rows, target, await row(bench, tokens));
  }
  await bench.stop();
  return rows;
}

/** Connects agents until there are so many, each of which reports what a real one reports. */
async function enrol(url: string, key: string, tokens: string[], target: number): Promise<void> {
  const one = async (line: Line) => {
    while (tokens.length < target) {
      const n = tokens.push("") - 1;
      const { json, status, text } = await call(url, "POST", "/api/auth/enrol", {
        body: { key, name: `agent-${n}` },
        headers: { "X-Forwarded-For": `10.0.${n >> 8}.${n & 255}` },
      });
      if (status !== 200) throw new Error(`no agent could be connected: ${text}`);
      tokens[n] = json.access_token;
      await line.send(post("/api/heartbeat", json.access_token, beat(n)));
      await line.send(post("/api/events", json.access_token, calls(n)));
    }
    line.close();
  };
  const lines = await Promise.all(Array.from({ length: 16 }, () => open(url)));
  await Promise.all(lines.map(one));
}

async function row(bench: Bench, tokens: readonly string[]): Promise<Row> {
  let turn = 0;
  const any = () => (turn++ * 7919) % tokens.length;
  const etag = (await call(bench.url, "GET", "/api/policy", { token: tokens[0]! })).headers.get("etag")!;
  const poll = () =>
    Buffer.from(
      `GET /api/policy HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${tokens[any()]}\r\nIf-None-Match: ${etag}\r\n\r\n`,
    );
  const report = () => {
    const n = any();
    return post("/api/heartbeat", tokens[n]!, beat(n));
  };
  const figures = {
    ...(await timed(bench, "304", CONNECTIONS, poll)),
    ...(await timed(bench, "beat", CONNECTIONS, report)),
    ...(await timed(bench, "list", 1, () => get("/api/agents?limit=50", bench.admin))),
    ...(await timed(bench, "drift", 1, () => get("/api/posture/drift", bench.admin))),
    ...(await timed(bench, "dashboard", 1, () => get("/api/dashboard", bench.admin))),
    ...(await timed(bench, "audit", 1, () => get("/api/audit?limit=50", bench.admin))),
  };
  return { ...figures, "rss MB": Math.round(memory(bench.pid)?.now ?? 0) };
}

/** Requests a second and milliseconds by the clock; processor milliseconds a request of the server alone. */
async function timed(bench: Bench, name: string, connections: number, request: () => Uint8Array): Promise<Row> {
  const before = cpuMs(bench.pid) ?? 0;
  const { requests, p50_ms, p99_ms, refused } = await bench.measure({ connections, seconds: SECONDS, request });
  if (refused > 0) throw new Error(`${name}: ${refused} requests were refused`);
  const cpu = ((cpuMs(bench.pid) ?? 0) - before) / requests;
  return { [`${name} p50`]: round(p50_ms), [`${name} p99`]: round(p99_ms), [`${name} cpu`]: round(cpu) };
}
