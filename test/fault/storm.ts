/** What all harnesses share: a server on a data directory, agents that storm it, and the examination afterwards. */
import { readFileSync } from "node:fs";
import { type Started, startProgram } from "../target.ts";
import { call } from "../world.ts";
import type { Ledger } from "./ledger.ts";

const EMAIL = "ada@example.com";
const PASSWORD = "correct horse battery";

export interface Place {
  data: string;
  /** Another copy of the source, under the same runtime. */
  main?: string;
  env?: Record<string, string>;
  args?: readonly string[];
  /** A session that exists already; without it one is begun. */
  token?: string;
}

export interface Booted {
  server: Started;
  url: string;
  /** Session token of the admin. */
  token: string;
}

export async function boot({ data, main, env = {}, args = ["serve"], token }: Place): Promise<Booted> {
  const settings = {
    GATEHOUSE_DATA: data,
    GATEHOUSE_PORT: "0",
    GATEHOUSE_LOG_LEVEL: "error",
    GATEHOUSE_ADMIN_EMAIL: EMAIL,
    GATEHOUSE_ADMIN_PASSWORD: PASSWORD,
    ...env,
  };
  const server = startProgram(args, { env: settings, ...(main ? { main } : {}) });
  const [, url] = await server.said(/ready at (http:\S+)/);
  if (token) return { server, url: url!, token };
  const signedIn = await signIn(url!);
  if (signedIn.status !== 200) {
    server.kill("SIGKILL");
    throw new Error(`sign-in failed: ${signedIn.text}\n${server.err()}`);
  }
  return { server, url: url!, token: signedIn.json.token };
}

export const signIn = (url: string) =>
  call(url, "POST", "/api/auth/login", { body: { email: EMAIL, password: PASSWORD } });

/** A token of a fresh installation; where a worker has just died, with the next one. */
export async function connect({ url, token }: Booted): Promise<string> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const started = await call(url, "POST", "/api/auth/device-code", { body: { name: "storm" } });
    const { user_code, device_code } = started.json;
    await call(url, "POST", "/api/auth/device-verify", { token, body: { user_code, action: "approve" } });
    const polled = await call(url, "POST", "/api/auth/device-token", { body: { device_code } });
    if (polled.status === 200) return polled.json.access_token;
    await sleep(200);
  }
  throw new Error("no agent could be connected");
}

export interface Storm {
  url: string;
  agent: string;
  ledger: Ledger;
  /** Begins every id of this storm. */
  name: string;
  next: () => number;
  /** Bytes of noise in each event; default none. */
  noise?: number;
  clients?: number;
}

/** What came back: how many batches per status; 0 where the connection broke. */
export interface Weather {
  stop(): Promise<Record<number, number>>;
  /** So far, by error code. */
  refused: Record<string, number>;
}

/** Clients send batches of odd sizes, some of it twice, until they are stopped. */
export function storm({ url, agent, ledger, name, next, noise = 0, clients = 4 }: Storm): Weather {
  let alive = true;
  const seen: Record<number, number> = {};
  const refused: Record<string, number> = {};
  const send = async (ids: string[]) => {
    const events = ids.map(id => ({
      id,
      time: "2026-11-21T10:00:00Z",
      type: "shell.exec",
      ...(noise ? { attributes: { noise: text(noise, next) } } : {}),
    }));
    ledger.sending(ids);
    const again = next() < 0.2 ? 2 : 1;
    for (let time = 0; time < again && alive; time++) {
      const reply = await call(url, "POST", "/api/events", { token: agent, body: events }).catch(() => undefined);
      const status = reply?.status ?? 0;
      seen[status] = (seen[status] ?? 0) + 1;
      if (status === 200) ledger.acknowledged(ids, reply!.json.head);
      else if (reply) {
        refused[reply.json.error] = (refused[reply.json.error] ?? 0) + 1;
        // One that ignores Retry-After, but does not spin.
        await new Promise(resume => setTimeout(resume, 20));
      } else return;
    }
  };
  const client = async (who: string) => {
    for (let batch = 0; alive; batch++)
      await send(Array.from({ length: 1 + Math.floor(next() * 40) }, (_, index) => `${name}.${who}.${batch}.${index}`));
  };
  const running = Promise.all(Array.from({ length: clients }, (_, index) => client(`c${index}`)));
  return {
    refused,
    async stop() {
      alive = false;
      await running;
      return seen;
    },
  };
}

/** Waits for so many acknowledgements more, so that there is a storm on a slow machine, too. */
export async function raging(ledger: Ledger, more = 200): Promise<void> {
  for (const enough = ledger.size + more; ledger.size < enough; ) await sleep(5);
}

const text = (length: number, next: () => number) =>
  Array.from({ length: Math.ceil(length / 10) }, () => next().toString(36).slice(2, 12)).join("");

/** What is wrong with the log as the server now tells it. */
export async function examine({ url, token }: Booted, ledger: Ledger): Promise<string[]> {
  const chain = await call(url, "GET", "/api/posture/attestation-chain", { token });
  const exported = await call(url, "GET", "/api/audit/export?format=ndjson", { token });
  if (chain.status !== 200 || exported.status !== 200)
    return [`the log cannot be read: ${chain.status} ${chain.text.slice(0, 200)}, ${exported.status}`];
  const entries = exported.text
    .trim()
    .split("\n")
    .map(line => JSON.parse(line));
  return [
    ...(chain.json.valid ? [] : [`the chain breaks at ${JSON.stringify(chain.json.first_break)}`]),
    ...ledger.audit(entries),
  ];
}

/** Ends a server at once. */
export async function kill({ server }: Booted): Promise<void> {
  server.kill("SIGKILL");
  await server.exited;
}

export const sleep = (ms: number) => new Promise<void>(resume => setTimeout(resume, ms));

/** mulberry32 */
export function generator(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const isRoot = (): boolean => process.platform === "linux" && process.getuid?.() === 0;
export const mounted = (folder: string): boolean => readFileSync("/proc/self/mounts", "utf8").includes(` ${folder} `);
