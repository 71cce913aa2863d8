/** No room left: writes are refused in clear words, reads go on, and with room it goes on as if nothing had been. */
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call } from "../world.ts";
import type { Harness, Outcome, RunOptions } from "./harness.ts";
import { Ledger } from "./ledger.ts";
import { loopMissing, makeLoopDisk } from "./loop-disk.ts";
import { acknowledgesFailures } from "./mutants.ts";
import { type Booted, boot, connect, examine, kill, signIn, sleep, storm } from "./storm.ts";

const DISK_MB = 32;
const READS = ["/api/audit?limit=50", "/api/audit/stats", "/api/dashboard", "/api/agents", "/api/policy", "/api/org"];

async function run({ rounds, next, main }: RunOptions): Promise<Outcome> {
  const disk = makeLoopDisk(DISK_MB);
  const ledger = new Ledger();
  const problems: string[] = [];
  const refused: Record<string, number> = {};
  const place = { data: join(disk.folder, "data"), ...(main ? { main } : {}) };
  const ballast = join(disk.folder, "ballast");
  try {
    let booted = await boot(place);
    const agent = await connect(booted);
    for (let round = 0; round < rounds && problems.length === 0; round++) {
      fill(disk.folder, ballast, Math.floor(next() * 600_000));
      const weather = storm({ url: booted.url, agent, ledger, name: String(round), next, noise: 400 });
      await refusedOnce(weather.refused);
      problems.push(...(await whileFull(booted, agent)));
      const seen = await weather.stop();
      for (const [code, times] of Object.entries(weather.refused)) refused[code] = (refused[code] ?? 0) + times;
      if (seen[500] || seen[0]) problems.push(`replies by status: ${JSON.stringify(seen)}`);
      if (round % 2 === 1) {
        // The power does not wait for room: killed and started while full.
        await kill(booted);
        booted = await boot({ ...place, token: booted.token });
        problems.push(...(await whileFull(booted, agent)).map(problem => `started while full: ${problem}`));
      }
      problems.push(...(await examine(booted, ledger)).map(problem => `while full: ${problem}`));
      rmSync(ballast, { force: true });
      problems.push(...(await recovers(booted, agent, ledger, `${round}.after`)));
      problems.push(...(await examine(booted, ledger)).map(problem => `with room again: ${problem}`));
    }
    await kill(booted);
    const after = await boot(place);
    problems.push(...(await examine(after, ledger)).map(problem => `after a restart: ${problem}`));
    await kill(after);
  } finally {
    disk.remove();
  }
  return { acknowledged: ledger.size, problems, told: `filled ${rounds} times, refused: ${JSON.stringify(refused)}` };
}

/** Takes all room but so many bytes. */
function fill(folder: string, ballast: string, left: number): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - left), 1));
}

async function refusedOnce(refused: Record<string, number>): Promise<void> {
  for (let waited = 0; waited < 200 && Object.keys(refused).length === 0; waited++) await sleep(50);
}

async function whileFull({ url, token }: Booted, agent: string): Promise<string[]> {
  const problems: string[] = [];
  for (const path of READS) {
    const { status, text } = await call(url, "GET", path, { token });
    if (status !== 200) problems.push(`GET ${path} answers ${status} ${text}`);
  }
  const big = { id: "too-big", time: "2026-11-21T10:00:00Z", type: "x.y", attributes: { noise: noise(40_000) } };
  const batch = Array.from({ length: 50 }, (_, index) => ({ ...big, id: `too-big-${index}` }));
  const written = await call(url, "POST", "/api/events", { token: agent, body: batch });
  if (written.status !== 503 || written.json?.error !== "storage_full" || !written.headers.get("retry-after"))
    problems.push(`a write answers ${written.status} ${written.text.slice(0, 200)}`);
  const login = await signIn(url);
  if (![200, 503].includes(login.status)) problems.push(`signing in answers ${login.status} ${login.text}`);
  const health = await call(url, "GET", "/api/health");
  if (health.status !== 200) problems.push(`health answers ${health.status} ${health.text}`);
  return problems;
}

const noise = (length: number) =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(Math.ceil(length / 2))))
    .toString("hex")
    .slice(0, length);

async function recovers({ url }: Booted, agent: string, ledger: Ledger, id: string): Promise<string[]> {
  const event = { id, time: "2026-11-21T10:00:00Z", type: "shell.exec" };
  ledger.sending([id]);
  const started = performance.now();
  for (;;) {
    const reply = await call(url, "POST", "/api/events", { token: agent, body: event });
    if (reply.status === 200) {
      ledger.acknowledged([id], reply.json.head);
      return [];
    }
    if (performance.now() - started > 5000) return [`it does not recover: ${reply.status} ${reply.text}`];
    await sleep(100);
  }
}

export const diskFull: Harness = {
  name: "disk-full",
  rounds: 4,
  missing: loopMissing,
  mutant: [acknowledgesFailures],
  caught: /acknowledged events are lost/,
  run,
};
