import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { refusals } from "../../src/errors.ts";
import { inProcess } from "../target.ts";
import { createWorld, type Reply, type World } from "../world.ts";

let world: World;
let admin: string;
let agent: string;
beforeAll(async () => {
  world = await createWorld({ GATEHOUSE_PLAYGROUND_PER_MINUTE: "1000" });
  admin = await world.admin();
  agent = (await world.agent()).token;
});
afterAll(() => world.close());

function expectRefusal(reply: Reply, status: number, error: string) {
  expect([reply.status, reply.json?.error]).toEqual([status, error]);
  expect(reply.headers.get("content-type")).toStartWith("application/json");
  expect(typeof reply.json.message).toBe("string");
  expect(reply.json.request_id).toBe(reply.headers.get("x-request-id"));
  expect(Object.hasOwn(refusals, error)).toBe(true);
}

test("unknown routes, wrong methods and odd paths are JSON refusals", async () => {
  for (const path of [
    "/api/nope",
    "/api",
    "/api/org/",
    "/API/ORG",
    "/api//org",
    "/api/audit/1/2",
    "/api/agents/",
    "/api/__proto__",
  ])
    expectRefusal(await world.call("GET", path, { token: admin }), 404, "not_found");
  const wrong = await world.call("DELETE", "/api/org", { token: admin });
  expectRefusal(wrong, 405, "method_not_allowed");
  expect(wrong.headers.get("allow")).toBe("GET, HEAD, OPTIONS, PATCH");
  const options = await world.call("OPTIONS", "/api/policy/yaml");
  expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS, PUT"]);
  const long = (n: number) =>
    world.call("GET", `/api/health?${"x".repeat(n - world.url.length - "/api/health?".length)}`);
  expect((await long(8192)).status).toBe(200);
  expectRefusal(await long(8193), 414, "uri_too_long");
  const head = await world.call("HEAD", "/api/health");
  expect([head.status, head.text]).toEqual([200, ""]);
});

test("bodies that cannot be read cost a clear refusal", async () => {
  const login = (body: unknown, headers = {}) => world.call("POST", "/api/auth/login", { body, headers });
  expectRefusal(await login("{"), 400, "malformed_json");
  expectRefusal(await login(new Uint8Array([0xff, 0xfe])), 400, "malformed");
  expectRefusal(
    await login("a=b", { "content-type": "application/x-www-form-urlencoded" }),
    415,
    "unsupported_media_type",
  );
  expectRefusal(await login("{}", { "content-encoding": "gzip" }), 415, "unsupported_encoding");
  expectRefusal(await login("[".repeat(200_000)), 400, "malformed_json");
  expectRefusal(await login("x".repeat(1024 * 1024 + 1)), 413, "too_large");
  const invalid = await login({ email: 5 });
  expectRefusal(invalid, 422, "invalid");
  expect(invalid.json.details.map((detail: { path: string }) => detail.path).sort()).toEqual(["/email", "/password"]);
  expectRefusal(await login(""), 422, "invalid");
});

test("a refusal never repeats what was sent", async () => {
  const secret = "hunter2-very-secret";
  const replies = [
    await world.call("POST", "/api/auth/login", { body: { email: secret, password: { a: secret } } }),
    await world.call("POST", "/api/playground/analyze", { body: { type: secret } }),
    await world.call("PUT", "/api/org/enforcement-mode", { token: admin, body: { mode: secret } }),
    await world.call("POST", "/api/events", { token: agent, body: { id: secret } }),
    await world.call("GET", `/api/audit?from=${secret}`, { token: admin }),
    await world.call("GET", `/api/audit?limit=${secret}`, { token: admin }),
    await world.call("GET", `/api/audit?cursor=${secret}`, { token: admin }),
    await world.call("GET", `/api/agents/${secret}`, { token: admin }),
  ];
  for (const reply of replies) {
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
    expect(reply.text).not.toContain(secret);
  }
});

test("numbers that nobody can count to are refused by their name", async () => {
  for (const path of ["/policy_version", "/queue_depth", "/head/seq"])
    for (const number of [1e308, 2 ** 53, -1, 0.5]) {
      const [outer, inner] = path.slice(1).split("/") as [string, string?];
      const body = { [outer]: inner ? { [inner]: number, hash: "0".repeat(64) } : number };
      const reply = await world.call("POST", "/api/heartbeat", { token: agent, body });
      expectRefusal(reply, 422, "invalid");
      expect(reply.json.details[0].path).toBe(path);
    }
});

test("a name that people are to read is one line and not blank", async () => {
  for (const name of ["", " ", "\t", "\n", "a\nb", "a\u0000", "\u007f", "x".repeat(201), null, 5]) {
    const asked = [
      await world.call("PATCH", "/api/org", { token: admin, body: { name } }),
      await world.call("POST", "/api/auth/tokens", { token: admin, body: { name } }),
      await world.call("POST", "/api/auth/enrolment-keys", { token: admin, body: { name } }),
    ];
    for (const reply of asked) {
      expectRefusal(reply, 422, "invalid");
      expect(reply.json.details[0].path).toBe("/name");
    }
  }
  expect((await world.call("PATCH", "/api/org", { token: admin, body: { name: "Åse & Söhne 株" } })).status).toBe(200);
});

test("settings with unknown members are refused, other bodies ignore them", async () => {
  const mode = await world.call("PUT", "/api/org/enforcement-mode", {
    token: admin,
    body: { mode: "enforce", mod: 1 },
  });
  expectRefusal(mode, 422, "invalid");
  expect(
    (await world.call("POST", "/api/playground/analyze", { body: { type: "shell", command: "ls", more: 1 } })).status,
  ).toBe(200);
});

test("unknown query members are ignored and reach nothing; every list takes limit and cursor", async () => {
  const get = (path: string) => world.call("GET", `/api${path}`, { token: admin });
  const first = (await get("/audit?order=asc&limit=2")).json;
  expect((await get("/audit?order=asc&limit=2&bogus=1&kind=none&stream=telemetry&from_ms=9e15")).json).toEqual(first);
  for (const path of ["/plans", "/compliance/frameworks?all=true", "/compliance/rules", "/org/members", "/packs"]) {
    const mark = path.includes("?") ? "&" : "?";
    const all = (await get(`${path}${mark}limit=200`)).json.items;
    const page = await get(`${path}${mark}limit=1`);
    expect([path, page.status, page.json.items]).toEqual([path, 200, all.slice(0, 1)]);
    if (page.json.next_cursor === null) continue;
    expect(page.headers.get("link")).toContain("limit=1&cursor=");
    const next = await get(`${path}${mark}limit=1&cursor=${page.json.next_cursor}`);
    expect(next.json.items).toEqual(all.slice(1, 2));
  }
});

test("events: bad batches are refused whole or by event, with nothing lost", async () => {
  const send = (body: unknown, headers = {}) => world.call("POST", "/api/events", { token: agent, body, headers });
  expectRefusal(await send("{"), 400, "malformed_json");
  expectRefusal(await send(""), 400, "malformed_json");
  expectRefusal(await send("{}", { "content-type": "text/plain" }), 415, "unsupported_media_type");
  expectRefusal(await send("{}", { "content-encoding": "br" }), 415, "unsupported_encoding");
  expectRefusal(await send("not gzip", { "content-encoding": "gzip" }), 400, "malformed");
  const all = await send([{}, 1, null]);
  expectRefusal(all, 422, "rejected");
  expect(all.json.rejected.length).toBe(3);
  expectRefusal(await send(JSON.stringify(Array.from({ length: 5001 }, () => ({})))), 413, "too_large");
  const time = "2026-11-21T10:00:00Z";
  const lines = [
    `{"id":"n1","time":"${time}","type":"a.b"}`,
    "{",
    "",
    `{"id":"n2","time":"${time}","type":"policy.changed"}`,
  ].join("\n");
  const mixed = await send(lines, { "content-type": "application/x-ndjson" });
  expect(mixed.json).toMatchObject({
    accepted: 1,
    rejected: [
      { index: 1, error: "malformed_json" },
      { index: 2, error: "reserved_type" },
    ],
  });
  const big = await send([
    { id: "big", time, type: "a", attributes: { x: "y".repeat(70_000) } },
    { id: "ok", time, type: "a" },
  ]);
  expect(big.json).toMatchObject({ accepted: 1, rejected: [{ index: 0, error: "too_large" }] });
});

test("raw connections: what the server itself cannot read never hangs and never echoes", async () => {
  const request = (head: string, body = "") => raw(`${head}\r\nHost: a\r\nConnection: close\r\n\r\n${body}`);
  expect(await request("TRACE /api/health HTTP/1.1")).toStartWith("HTTP/1.1 405");
  expect(await request("GET /api/health HTTP/1.1")).toStartWith("HTTP/1.1 200");
  // As probes and load balancers ask; Bun answers as HTTP/1.1.
  expect(await raw("GET /api/health HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.[01] 200/);
  const listed = `GET /api/agents?limit=1&q=x HTTP/1.1\r\nAuthorization: Bearer ${admin}\r\nConnection: close`;
  for (const host of ["[::1", "a:b", ""])
    expect(await raw(`${listed}\r\nHost: ${host}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 [24]00/);
  const evil = await request(
    `POST /api/playground/analyze HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2000000000`,
    "{}",
  );
  expect(evil).toStartWith("HTTP/1.1 413");
});

function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(world.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let reply = "";
    socket.setTimeout(60_000, () => socket.destroy(new Error("no reply")));
    // The status line is enough: a server may keep the connection for a body that was announced and never comes.
    socket.on("data", data => {
      reply += data;
      if (reply.includes("\r\n")) socket.destroy();
    });
    socket.on("close", () => resolve(reply));
    socket.on("error", reject);
  });
}

test("rate limits say how much is left and when to come back", async () => {
  const small = await createWorld({ GATEHOUSE_PLAYGROUND_PER_MINUTE: "2" });
  const ask = () => small.call("POST", "/api/playground/analyze", { body: { type: "shell", command: "ls" } });
  const first = await ask();
  expect(first.headers.get("ratelimit-policy")).toBe('"playground";q=2;w=60');
  expect(first.headers.get("ratelimit")).toMatch(/^"playground";r=1;t=\d+$/);
  await ask();
  const third = await ask();
  expectRefusal(third, 429, "rate_limited");
  expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
  if (inProcess) {
    small.advance(121_000);
    expect((await ask()).status).toBe(200);
  }
  await small.close();
});
