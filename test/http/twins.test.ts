import { Value } from "@sinclair/typebox/value";
import { FormatRegistry } from "@sinclair/typebox";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { replies } from "../../src/http/replies.ts";
import { requests } from "../../src/http/requests.ts";
import { demoTable } from "../../src/http/routes/demo.ts";
import { createWorld, type Reply, type World } from "../world.ts";

/** Every route that takes a body, with a right one; and every route of the demo beside its twin. */
FormatRegistry.Set("date-time", text => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(text));

interface Asked {
  body?: unknown;
  type?: string;
  /** Appended to the path. */
  query?: string;
  /** For `:id`, `:name`, … of the path; told apart by whose it is. */
  id?: (of: "tenant" | "demo") => string;
  as?: "agent" | "person" | "nobody";
  /** Other than the one described: the reason is in the name. */
  status?: number;
}

const at = "2026-11-20T10:00:00Z";
const event = { id: "e-1", time: at, type: "shell.exec", action: { kind: "shell", command: "ls" } };
const scan = {
  project: "shop",
  tool: { name: "gatehouse comply", version: "1" },
  ...{ started_at: at, finished_at: at },
  results: [{ rule_id: "GH-SEC-001", status: "pass" }],
};
const sarif = {
  version: "2.1.0",
  runs: [{ tool: { driver: { name: "semgrep" } }, automationDetails: { id: "shop/" }, results: [] }],
};
const yaml = "application/yaml";
const policy = "policy: 1\nno_match: ALLOW\n";

/** In this order: what one makes, the next may need. */
const writes: [route: string, asked: Asked][] = [
  [
    "POST /playground/analyze",
    { as: "nobody", body: { type: "mcp", tool: "read_file", args: { path: "/etc/passwd" } } },
  ],
  ["POST /heartbeat", { as: "agent", body: { platform: "linux", hooks: [{ client: "codex", installed: true }] } }],
  ["POST /policy/check", { as: "agent", body: { type: "shell", command: "rm -rf /" } }],
  ["POST /events", { as: "agent", body: event }],
  ["POST /events", { as: "agent", body: { events: [{ ...event, id: "e-2" }] } }],
  ["POST /events", { as: "agent", body: [{ ...event, id: "e-3" }] }],
  ["POST /events", { as: "agent", body: `${JSON.stringify({ ...event, id: "e-4" })}\n`, type: "application/x-ndjson" }],
  ["POST /hooks/:client", { as: "agent", id: () => "claude-code", body: hook("ls") }],
  ["POST /v1/logs", { as: "agent", body: { resourceLogs: [] } }],
  ["POST /v1/traces", { as: "agent", body: { resourceSpans: [] } }],
  ["POST /v1/metrics", { as: "agent", body: { resourceMetrics: [] } }],
  ["PATCH /org", { body: { name: "Acme and sons" } }],
  ["PUT /org/enforcement-mode", { body: { mode: "audit-only" } }],
  ["PUT /org/enforcement-mode", { body: { mode: "enforce" } }],
  ["PUT /org/plan", { body: { plan: "enterprise" } }],
  ["POST /org/members", { body: { email: "new@example.com", role: "member" } }],
  ["PUT /policy/yaml", { body: policy, type: yaml }],
  ["PUT /policy", { body: { policy: 1, no_match: "ASK" } }],
  ["POST /policy/validate", { body: { yaml: policy } }],
  ["POST /policy/replay", { body: { yaml: policy, last: 5 } }],
  ["POST /compliance/frameworks", { body: { framework: "hipaa" } }],
  ["POST /compliance/frameworks/disable", { body: { framework: "hipaa" } }],
  ["POST /compliance/scans", { body: scan }],
  ["POST /compliance/scans", { body: sarif, type: "application/sarif+json" }],
  ["POST /auth/tokens", { body: { name: "script" } }],
  ["POST /auth/enrolment-keys", { body: { name: "ci" } }],
  ["POST /auth/device-code", { as: "nobody", body: { name: "laptop" } }],
  ["POST /auth/2fa/setup", {}],
  ["POST /demo/session", { as: "nobody" }],
];

/** What the reading routes of the demo need. */
const reads: Record<string, Asked> = {
  "GET /agents/:id": { id: of => agents[of] },
  "GET /policy/history/:version": { id: () => "1" },
  "GET /packs/:name": { id: () => "core" },
  "GET /audit/:seq": { id: () => "0" },
  "GET /posture/evidence": { query: "?framework=soc2" },
  "GET /posture/control-evidence": { query: "?framework=soc2&control=CC6.1" },
  "GET /posture/proof": { query: "?seq=0" },
  "GET /compliance/export": { query: "?format=oscal" },
};
/** Answered for as long as the caller listens: test/http/posture.test.ts, web. */
const ENDLESS = "GET /audit/stream";

let world: World;
let person: string;
let agent: string;
let session: string;
const agents = { tenant: "", demo: "" };
const scans = { tenant: "", demo: "" };
// biome-ignore lint/suspicious/noExplicitAny: the document is what is looked into
let paths: Record<string, Record<string, any>>;

beforeAll(async () => {
  world = await createWorld();
  person = await world.admin();
  const connected = await world.agent();
  agent = connected.token;
  paths = (await world.call("GET", "/api/openapi.json")).json.paths;
  session = (await world.call("POST", "/api/demo/session")).json.session;
  await world.call("POST", "/api/compliance/frameworks", { token: person, body: { framework: "soc2" } });
  agents.tenant = connected.id;
  agents.demo = (await demo("GET", "/agents?limit=1")).json.items[0].id;
  scans.tenant = (await world.call("POST", "/api/compliance/scans", { token: person, body: scan })).json.id;
  scans.demo = (await demo("GET", "/compliance/scans/history?limit=1")).json.items[0].id;
  reads["GET /compliance/scans/latest"] = {};
  reads["GET /compliance/scans/detail"] = { query: "?id=" };
});
afterAll(() => world.close());

function hook(command: string) {
  return { hook_event_name: "PreToolUse", session_id: "s", cwd: "/r", tool_name: "Bash", tool_input: { command } };
}

const demo = (method: string, path: string, body?: unknown, type?: string) =>
  world.call(method, `/api/demo${path}`, {
    headers: { "x-demo-session": session, ...(type ? { "content-type": type } : {}) },
    ...(body === undefined ? {} : { body }),
  });

function tenant(method: string, path: string, { body, type, as = "person" }: Asked): Promise<Reply> {
  const token = as === "agent" ? agent : as === "person" ? person : undefined;
  return world.call(method, `${path.startsWith("/v1/") ? "" : "/api"}${path}`, {
    ...(token ? { token } : {}),
    ...(type ? { headers: { "content-type": type } } : {}),
    ...(body === undefined ? {} : { body }),
  });
}

const where = (path: string, { id, query = "" }: Asked, of: "tenant" | "demo") =>
  path.replace(/:\w+/, () => id!(of)) + (query === "?id=" ? query + scans[of] : query);

/** Why a reply is not what the description says; undefined when it is. */
function wrongWith(route: string, reply: Reply): string | undefined {
  const { status = 200, schema, type } = replies[route] ?? {};
  if (reply.status !== status) return `${route}: ${reply.status} ${reply.text.slice(0, 300)}`;
  const error = schema && !type ? Value.Errors(schema, reply.json).First() : undefined;
  return error && `${route}: ${error.path} ${error.message}`;
}

test("every body that a right request carries fits what is described, and so does its answer", async () => {
  const wrong: string[] = [];
  for (const [route, asked] of writes) {
    const [method, path] = route.split(" ") as [string, string];
    const described = paths[`${path.startsWith("/v1/") ? "" : "/api"}${path.replace(/:(\w+)/, "{$1}")}`]!;
    const content = described[method.toLowerCase()].requestBody?.content;
    const media = asked.type ?? "application/json";
    const schema = content?.[media]?.schema;
    if ((asked.body === undefined) !== (schema === undefined)) wrong.push(`${route}: body of ${media}`);
    else if (schema && !fits(schema, asked.body)) wrong.push(`${route}: ${JSON.stringify(asked.body)} does not fit`);
    const problem = wrongWith(route, await tenant(method, where(path, asked, "tenant"), asked));
    if (problem) wrong.push(problem);
  }
  expect(wrong).toEqual([]);
});

/** The document as a client reads it, without the symbols that TypeBox checks its own schemas by. */
function fits(schema: Record<string, unknown>, value: unknown): boolean {
  if (schema["type"] === "string") return typeof value === "string";
  const either = schema["anyOf"] as Record<string, unknown>[] | undefined;
  if (either) return either.some(one => fits(one, value));
  if ("const" in schema) return schema["const"] === value;
  if (schema["type"] === "array")
    return Array.isArray(value) && value.every(one => fits(schema["items"] as never, one));
  if (schema["type"] === "object") {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const properties = (schema["properties"] ?? {}) as Record<string, Record<string, unknown>>;
    const required = (schema["required"] ?? []) as string[];
    const closed = schema["additionalProperties"] === false;
    return (
      required.every(name => name in value) &&
      Object.entries(value).every(([name, one]) => (properties[name] ? fits(properties[name], one) : !closed))
    );
  }
  if (schema["type"] === "integer") return Number.isInteger(value);
  return schema["type"] === undefined || typeof value === schema["type"];
}

test("every operation that takes a body describes it, in each of its media types", () => {
  const bare = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ["post", "put", "patch"].includes(method))
      .flatMap(([method, { requestBody }]) => {
        const schemas = Object.values((requestBody?.content ?? {}) as Record<string, { schema: object }>);
        const empty = schemas.length === 0 || schemas.some(({ schema }) => Object.keys(schema).length === 0);
        return empty ? [`${method.toUpperCase()} ${path}`] : [];
      }),
  );
  // These take nothing but a press.
  const press = ["auth/2fa/setup", "auth/logout", "demo/reset", "demo/session"].map(path => `POST /api/${path}`);
  expect(bare.sort()).toEqual(press);
  const unknown = Object.keys(requests).filter(route => {
    const [method, path] = route.replace(/:(\w+)/, "{$1}").split(" ") as [string, string];
    return !(paths[`/api${path}`] ?? paths[path])?.[method.toLowerCase()];
  });
  expect(unknown).toEqual([]);
});

test("every operation describes what it answers", () => {
  const bare = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.entries(responses as Record<string, { content?: Record<string, { schema: object }> }>)
        .filter(([status]) => Number(status) < 300 && status !== "204")
        .filter(([, { content }]) =>
          Object.values(content ?? {}).every(({ schema }) => Object.keys(schema).length === 0),
        )
        .map(([status]) => `${method} ${path} ${status}`),
    ),
  );
  expect(bare).toEqual([]);
});

test("every route of the demo gives its twin's status and shape, when asked rightly and when asked wrongly", async () => {
  const wrong: string[] = [];
  const right = new Map([...writes, ...Object.entries(reads)]);
  for (const route of demoTable) {
    if (route === ENDLESS) continue;
    const [method, path] = route.split(" ") as [string, string];
    const asked = {
      ...right.get(route),
      as: route === "POST /policy/check" ? ("agent" as const) : ("person" as const),
    };
    const pair = [
      await tenant(method, where(path, asked, "tenant"), asked),
      await demo(method, where(path, asked, "demo"), asked.body, asked.type),
    ] as const;
    for (const reply of pair) wrong.push(...[wrongWith(route, reply)].filter(one => one !== undefined));
    const types = pair.map(reply => reply.headers.get("content-type"));
    if (types[0] !== types[1]) wrong.push(`${route}: ${types}`);
    for (const bad of mistakes(method, path, asked)) {
      const said = [
        await tenant(method, where(path, bad, "tenant"), bad),
        await demo(method, where(path, bad, "demo"), bad.body, bad.type),
      ].map(reply => `${reply.status} ${reply.json?.error}`);
      if (said[0] !== said[1] || !/^4/.test(said[0]!)) wrong.push(`${route} ${JSON.stringify(bad)}: ${said}`);
    }
  }
  expect(wrong).toEqual([]);
});

/** Wrong in ways that any such route must refuse. */
function mistakes(method: string, path: string, asked: Asked): Asked[] {
  const found: Asked[] = [];
  if (path.includes(":")) found.push({ ...asked, id: () => "nothing-of-that-name" });
  if (method !== "GET") {
    found.push({ ...asked, body: "{", type: "application/json" });
    found.push({ ...asked, body: "x", type: "text/csv" });
    found.push({ ...asked, body: "policy: 7", type: path === "/policy/yaml" ? yaml : "application/json" });
  }
  const described = paths[`/api${path.replace(/:(\w+)/, "{$1}")}`]?.[method.toLowerCase()];
  if (described?.parameters.some((one: { name: string }) => one.name === "limit"))
    found.push({ ...asked, query: "?limit=0" }, { ...asked, query: "?cursor=nonsense" });
  return found;
}
