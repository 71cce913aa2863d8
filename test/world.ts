import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compose, type Gatehouse } from "../src/cli/compose.ts";
import { readConfig } from "../src/config.ts";

/** A whole Gatehouse on a temporary directory, spoken to over HTTP only. */
export interface World {
  url: string;
  data: string;
  /** Lines of the operator's log so far. */
  log: string[];
  gatehouse: Gatehouse;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** Session token of the first admin. */
  admin(): Promise<string>;
  /** A person of that role in the first organisation; their session token. */
  person(role: "admin" | "member" | "auditor"): Promise<string>;
  /** An installation connected by device code. */
  agent(name?: string): Promise<{ id: string; token: string }>;
  /** Moves the clock of every thread. */
  advance(ms: number): void;
  restart(): Promise<void>;
  /** After `gatehouse.close()`. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

export interface CallOptions {
  token?: string;
  /** Sent as JSON; a string or bytes as they are. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: replies are what the tests look into
  json: any;
}

export const ADMIN = { email: "ada@example.com", password: "correct horse battery" };

export async function createWorld(settings: Record<string, string> = {}): Promise<World> {
  const data = mkdtempSync(join(tmpdir(), "gatehouse-"));
  const clock = new SharedArrayBuffer(8);
  const log: string[] = [];
  const env = {
    GATEHOUSE_DATA: data,
    GATEHOUSE_PORT: "0",
    GATEHOUSE_ADMIN_EMAIL: ADMIN.email,
    GATEHOUSE_ADMIN_PASSWORD: ADMIN.password,
    GATEHOUSE_ORG_NAME: "Acme",
    GATEHOUSE_WORKERS: "1",
    GATEHOUSE_LOG_LEVEL: "debug",
    ...settings,
  };
  const start = () => compose(readConfig(env), { write: line => void log.push(line), clock });
  let gatehouse = await start();
  let admin: string | undefined;
  const world: World = {
    data,
    log,
    get url() {
      return gatehouse.url;
    },
    get gatehouse() {
      return gatehouse;
    },
    call: (method, path, options) => call(gatehouse.url, method, path, options),
    admin: async () => (admin ??= await signIn(world, ADMIN.email, ADMIN.password)),
    person: role => person(world, role),
    agent: name => connect(world, name),
    advance: ms => void (new Float64Array(clock)[0]! += ms),
    async restart() {
      await gatehouse.close();
      gatehouse = await start();
    },
    async reopen() {
      gatehouse = await start();
    },
    async close() {
      await gatehouse.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
  return world;
}

export async function call(
  url: string,
  method: string,
  path: string,
  { token, body, headers = {} }: CallOptions = {},
): Promise<Reply> {
  const raw = body === undefined || typeof body === "string" || body instanceof Uint8Array;
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body === undefined || "content-type" in headers ? {} : { "content-type": "application/json" }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: (raw ? body : JSON.stringify(body)) as string }),
    redirect: "manual",
  });
  const text = await response.text();
  const json =
    text !== "" && response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json };
}

async function signIn(world: World, email: string, password: string): Promise<string> {
  const reply = await world.call("POST", "/api/auth/login", { body: { email, password } });
  if (reply.status !== 200) throw new Error(`sign-in failed: ${reply.text}`);
  return reply.json.token;
}

let people = 0;

/** Made in the directory directly, so that this does not rest on invitations. */
async function person(world: World, role: "admin" | "member" | "auditor"): Promise<string> {
  const { directory } = world.gatehouse.parts;
  const { id: org } = directory.members.places(directory.accounts.byEmail(ADMIN.email)!.id)[0]!;
  const email = `${role}-${++people}@example.com`;
  const account = directory.accounts.create({ email, password_hash: await directory.passwords.hash(ADMIN.password) });
  directory.members.add(org, account.id, role);
  return signIn(world, email, ADMIN.password);
}

async function connect(world: World, name = "laptop"): Promise<{ id: string; token: string }> {
  const started = await world.call("POST", "/api/auth/device-code", { body: { name } });
  const { user_code, device_code } = started.json;
  const approved = await world.call("POST", "/api/auth/device-verify", {
    token: await world.admin(),
    body: { user_code, action: "approve" },
  });
  if (approved.status !== 200) throw new Error(`approval failed: ${approved.text}`);
  const polled = await world.call("POST", "/api/auth/device-token", { body: { device_code } });
  if (polled.status !== 200) throw new Error(`no token: ${polled.text}`);
  return { id: polled.json.agent.id, token: polled.json.access_token };
}
