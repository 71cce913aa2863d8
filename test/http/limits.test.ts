import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createWorld, type Reply, type World } from "../world.ts";

/** Every row of docs/limits.md that names this file, tried at its figure and one past it. */
interface Row {
  figure: string;
  /** Asks with so many bytes, members, characters or calls. */
  ask(n: number): Promise<Reply>;
  most: number;
  past: string;
  /** Answers to `most` that are not of this limit are fine: by default anything but `past`. */
  within?: string;
}

let world: World;
let person: string;
let agent: string;
beforeAll(async () => {
  world = await createWorld({ GATEHOUSE_TRUSTED_PROXIES: "127.0.0.1", GATEHOUSE_LOG_LEVEL: "error" });
  person = await world.admin();
  agent = (await world.agent()).token;
});
afterAll(() => world.close());

const KIB = 1024;
const MIB = 1024 * KIB;
const at = "2026-11-20T10:00:00Z";
const event = (more: object = {}) => ({ id: `e-${Math.random()}`, time: at, type: "a.b", ...more });
const asAgent = (path: string, body: unknown, headers = {}) =>
  world.call("POST", `/api${path}`, {
    token: agent,
    body,
    headers: { "content-type": "application/json", ...headers },
  });
const asPerson = (path: string, body: unknown, headers = {}) =>
  world.call("POST", `/api${path}`, {
    token: person,
    body,
    headers: { "content-type": "application/json", ...headers },
  });
/** JSON of exactly `bytes`, padded by a member that is ignored. */
const padded = (value: object, bytes: number) => {
  const start = JSON.stringify({ ...value, _: "" });
  return `${start.slice(0, -2)}${"x".repeat(bytes - start.length)}"}`;
};
const times = <V>(n: number, make: (index: number) => V): V[] => Array.from({ length: n }, (_, index) => make(index));
const names = (n: number) => times(n, index => ({ name: `n${index}` }));
const check = (more: object) => asAgent("/policy/check", { type: "shell", command: "ls", ...more });
const beat = (body: object) => asAgent("/heartbeat", body);
const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
const scan = { project: "p", tool: { name: "t", version: "1" }, started_at: at, finished_at: at, results: [] };

/** Until there are `n` of them. */
async function made(n: number, path: string): Promise<Reply> {
  const there = (await world.call("GET", `/api${path}?limit=200`, { token: person })).json.items.length;
  let last: Reply | undefined;
  for (let one = there; one < n; one++) last = await asPerson(path, { name: `n${one}` });
  return last!;
}

/** The last of `n` calls, all from one address nobody else uses. */
let addresses = 0;
async function calls(n: number, method: string, path: string, body?: unknown): Promise<Reply> {
  const headers = { "x-forwarded-for": `198.51.100.${++addresses}` };
  const token = path.includes("device-verify") ? { token: person } : {};
  let last: Reply | undefined;
  for (let call = 0; call < n; call++)
    last = await world.call(method, `/api${path}`, { headers, ...token, ...(body ? { body } : {}) });
  return last!;
}

const rows: Record<string, Row> = {
  "body of an ordinary request": {
    figure: "1 MiB",
    ask: n =>
      world.call("POST", "/api/auth/device-code", {
        body: padded({ name: "x" }, n),
        headers: { "content-type": "application/json" },
      }),
    ...{ most: MIB, past: "413 too_large" },
  },
  "`POST /events`, packed": {
    figure: "8 MiB",
    ask: n => asAgent("/events", new Uint8Array(n)),
    ...{ most: 8 * MIB, past: "413 too_large" },
  },
  "one event": {
    figure: "64 KiB",
    ask: n => {
      const empty = event({ attributes: { x: "" } });
      const rest = n - JSON.stringify(empty).length;
      return asAgent("/events", { ...empty, attributes: { x: "a ".repeat(rest / 2) + (rest % 2 ? "a" : "") } });
    },
    ...{ most: 64 * KIB, past: "422 rejected", within: "200" },
  },
  "nesting of an event": {
    figure: "64 levels",
    ask: n => asAgent("/events", event({ attributes: nested(n - 1) })),
    ...{ most: 64, past: "422 rejected", within: "200" },
  },
  "nesting of any other body": {
    figure: "128 levels",
    ask: n => check({ env: undefined, more: nested(n - 1) }),
    ...{ most: 128, past: "400 malformed_json", within: "200" },
  },
  "scan, packed": {
    figure: "10 MiB",
    ask: n => asPerson("/compliance/scans", new Uint8Array(n)),
    ...{ most: 10 * MIB, past: "413 too_large" },
  },
  "hook payload": {
    figure: "4 MiB",
    ask: n => asAgent("/hooks/claude-code", padded({}, n)),
    ...{ most: 4 * MIB, past: "413 too_large" },
  },
  "OTLP batch": {
    figure: "4 MiB",
    ask: n =>
      world.call("POST", "/v1/logs", {
        token: agent,
        body: padded({ resourceLogs: [] }, n),
        headers: { "content-type": "application/json" },
      }),
    ...{ most: 4 * MIB, past: "413 too_large", within: "200" },
  },
  "policy text to be validated": {
    figure: "512 KiB",
    ask: n => asPerson("/policy/validate", { yaml: `#${"x".repeat(n - 1)}` }),
    ...{ most: 512 * KIB, past: "422 invalid", within: "200" },
  },
  "items on a page (`limit`)": {
    figure: "200",
    ask: n => world.call("GET", `/api/audit?limit=${n}`, { token: person }),
    ...{ most: 200, past: "422 invalid", within: "200" },
  },
  "events in a batch": {
    figure: "5,000",
    ask: n =>
      asAgent(
        "/events",
        times(n, () => event()),
      ),
    ...{ most: 5000, past: "413 too_large", within: "200" },
  },
  "rules of an event": {
    figure: "100",
    ask: n => asAgent("/events", event({ rules: times(n, index => `r${index}`) })),
    ...{ most: 100, past: "422 rejected", within: "200" },
  },
  "hooks in a heartbeat": {
    figure: "50",
    ask: n => beat({ hooks: times(n, index => ({ client: `c${index}`, installed: true })) }),
    ...{ most: 50, past: "422 invalid", within: "200" },
  },
  "declared MCP servers": {
    figure: "200",
    ask: n => beat({ mcp_servers: names(n) }),
    ...{ most: 200, past: "422 invalid", within: "200" },
  },
  "tools of a declared server": {
    figure: "500",
    ask: n => beat({ mcp_servers: [{ name: "s", tools: names(n) }] }),
    ...{ most: 500, past: "422 invalid", within: "200" },
  },
  "variables in `env` of a check": {
    figure: "500",
    ask: n => check({ env: Object.fromEntries(times(n, index => [`V${index}`, "x"])) }),
    ...{ most: 500, past: "422 invalid", within: "200" },
  },
  "calls replayed": {
    figure: "5,000",
    ask: n => asPerson("/policy/replay", { yaml: "policy: 1\n", last: n }),
    ...{ most: 5000, past: "422 invalid", within: "200" },
  },
  "a command": {
    figure: "32 KiB",
    ask: n => check({ command: "x".repeat(n) }),
    ...{ most: 32 * KIB, past: "422 invalid", within: "200" },
  },
  "a name, a title": {
    figure: "200 characters",
    ask: n => check({ type: "mcp", tool: "x".repeat(n), args: {} }),
    ...{ most: 200, past: "422 invalid", within: "200" },
  },
  "an id, a filter": {
    figure: "128 characters",
    ask: n => world.call("GET", `/api/audit?rule=${"x".repeat(n)}`, { token: person }),
    ...{ most: 128, past: "422 invalid", within: "200" },
  },
  "an email": {
    figure: "320 characters",
    ask: n => world.call("POST", "/api/auth/login", { body: { email: "x".repeat(n), password: "x" } }),
    ...{ most: 320, past: "422 invalid", within: "401" },
  },
  "a password as sent": {
    figure: "1,024 characters",
    ask: n => world.call("POST", "/api/auth/login", { body: { email: "nobody@example.com", password: "x".repeat(n) } }),
    ...{ most: 1024, past: "422 invalid", within: "401" },
  },
  "access tokens of a person": {
    figure: "50",
    ask: n => made(n, "/auth/tokens"),
    ...{ most: 50, past: "409 conflict", within: "201" },
  },
  "enrolment keys of an organisation": {
    figure: "200",
    ask: n => made(n, "/auth/enrolment-keys"),
    ...{ most: 200, past: "409 conflict", within: "201" },
  },
  "an `Idempotency-Key`": {
    figure: "255 characters",
    ask: n => asPerson("/compliance/scans", scan, { "idempotency-key": "x".repeat(n) }),
    ...{ most: 255, past: "422 invalid", within: "201" },
  },
  playground: {
    figure: "30",
    ask: n => calls(n, "POST", "/playground/analyze", { type: "shell", command: "ls" }),
    ...{ most: 30, past: "429 rate_limited", within: "200" },
  },
  "sign-in, set-up, invitations accepted": {
    figure: "30",
    ask: n => calls(n, "POST", "/auth/accept-invitation", { token: "none", password: "a long enough one" }),
    ...{ most: 30, past: "429 rate_limited" },
  },
  "device codes, enrolment": {
    figure: "20",
    ask: n => calls(n, "POST", "/auth/enrol", { key: "none" }),
    ...{ most: 20, past: "429 rate_limited", within: "401" },
  },
  "user codes": {
    figure: "20",
    ask: n => calls(n, "GET", "/auth/device-verify"),
    ...{ most: 20, past: "429 rate_limited" },
  },
  "demo sessions, resets": {
    figure: "10",
    ask: n => calls(n, "POST", "/demo/session"),
    ...{ most: 10, past: "429 rate_limited", within: "201" },
  },
};

/** Rows of the page: what · figure · … · where it is tested. */
const page = readFileSync(new URL("../../docs/limits.md", import.meta.url), "utf8")
  .split("\n")
  .filter(line => line.startsWith("| ") && !line.startsWith("| what "))
  .map(line => line.slice(2, -2).split(" | "));

test("the page tells the figures that are tried here, and every row of it names its test", () => {
  const here = page.filter(cells => cells.at(-1) === "`test/http/limits.test.ts`");
  expect(here.map(([what, figure]) => [what, figure])).toEqual(
    Object.entries(rows).map(([what, { figure }]) => [what, figure]) as never,
  );
  expect(page.filter(cells => !/`(src|test)\/[\w./-]+\.test\.ts`/.test(cells.at(-1)!))).toEqual([]);
  expect(page.length).toBeGreaterThan(40);
});

for (const [what, { ask, most, past, within }] of Object.entries(rows))
  test(`${what}: ${most} and one more`, async () => {
    const said = ({ status, json }: Reply) => `${status} ${json?.error ?? ""}`.trim();
    const allowed = said(await ask(most));
    if (within) expect(allowed).toStartWith(within);
    else expect(allowed).not.toBe(past);
    expect(said(await ask(most + 1))).toBe(past);
  });
