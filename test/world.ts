import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compose, type Gatehouse } from "../src/cli/compose.ts";
import { readConfig } from "../src/config.ts";
import { expectDescribed } from "./described.ts";
import { hostileFolder, inProcess, runProgram, startProgram } from "./target.ts";

/** A whole Gatehouse on a temporary directory, spoken to over HTTP only. */
export interface World {
  url: string;
  data: string;
  /** Lines of the operator's log so far. */
  log: string[];
  /** Only within this process. */
  gatehouse: Gatehouse;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** Session token of the first admin. */
  admin(): Promise<string>;
  /** A person of that role in the first organisation; their session token. */
  person(role: "admin" | "member" | "auditor"): Promise<string>;
  /** An installation connected by device code. */
  agent(name?: string): Promise<{ id: string; token: string }>;
  /** Moves the clock of every thread; only within this process. */
  advance(ms: number): void;
  restart(): Promise<void>;
  /** Ends the server and leaves its data; `start` begins again on it. */
  stop(): Promise<void>;
  start(): Promise<void>;
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
  const clock = new SharedArrayBuffer(8);
  const begin = () => (inProcess ? beginHere(env, log, clock) : beginProgram(env, log));
  let server = await begin();
  let admin: string | undefined;
  const world: World = {
    data,
    log,
    get url() {
      return server.url;
    },
    get gatehouse() {
      if (!server.gatehouse) throw new Error("the compiled program cannot be looked into: skip this test there");
      return server.gatehouse;
    },
    async call(method, path, options) {
      const reply = await call(server.url, method, path, options);
      if (server.gatehouse) expectDescribed(server.gatehouse.parts, method, path, reply);
      return reply;
    },
    admin: async () => (admin ??= await signIn(world, ADMIN.email, ADMIN.password)),
    person: role => person(world, role),
    agent: name => connect(world, name),
    advance(ms) {
      if (!inProcess) throw new Error("the compiled program's clock cannot be moved: skip this test there");
      new Float64Array(clock)[0]! += ms;
    },
    async restart() {
      await server.close();
      server = await begin();
    },
    stop: () => server.close(),
    async start() {
      server = await begin();
    },
    async close() {
      await server.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
  return world;
}

interface Running {
  url: string;
  gatehouse?: Gatehouse;
  close(): Promise<void>;
}

async function beginHere(env: Record<string, string>, log: string[], clock: SharedArrayBuffer): Promise<Running> {
  const gatehouse = await compose(readConfig(env), { write: line => void log.push(line), clock });
  let closed: Promise<void> | undefined;
  return { url: gatehouse.url, gatehouse, close: () => (closed ??= gatehouse.close()) };
}

async function beginProgram(env: Record<string, string>, log: string[]): Promise<Running> {
  const program = startProgram(["serve"], { env, cwd: hostileFolder() });
  const [, url] = await program.said(/ready at (http:\S+)/);
  const close = async () => {
    program.kill("SIGTERM");
    await program.exited;
    log.push(...program.err().split("\n"));
  };
  return { url: url!, close };
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

/** Made by the operator's command, so that this does not rest on invitations. */
async function person(world: World, role: "admin" | "member" | "auditor"): Promise<string> {
  const email = `${role}-${++people}@example.com`;
  if (inProcess) await addHere(world, email, role);
  else {
    const { id } = (await world.call("GET", "/api/org", { token: await world.admin() })).json;
    const args = ["account", "add", email, "--org", id, "--role", role, "--password-stdin"];
    const added = await runProgram(args, { env: { GATEHOUSE_DATA: world.data }, stdin: `${ADMIN.password}\n` });
    if (added.code !== 0) throw new Error(`account add failed: ${added.err}`);
  }
  return signIn(world, email, ADMIN.password);
}

async function addHere(world: World, email: string, role: "admin" | "member" | "auditor"): Promise<void> {
  const { directory } = world.gatehouse.parts;
  const { id: org } = directory.members.places(directory.accounts.byEmail(ADMIN.email)!.id)[0]!;
  const account = directory.accounts.create({ email, password_hash: await directory.passwords.hash(ADMIN.password) });
  directory.members.add(org, account.id, role);
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
