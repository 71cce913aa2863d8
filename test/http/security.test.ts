import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { routeTable } from "../../src/http/route-table.ts";
import { createApp } from "../../src/http/server.ts";
import { inProcess, target } from "../target.ts";
import { compress } from "../../src/store/zstd.ts";
import { ADMIN, createWorld, type World } from "../world.ts";

let world: World;
let admin: string;
let agent: { id: string; token: string };
beforeAll(async () => {
  world = await createWorld();
  admin = await world.admin();
  agent = await world.agent();
});
afterAll(() => world.close());

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

test("a session token that we did not sign, or not so, opens nothing", async () => {
  const [header, payload, signature] = admin.split(".") as [string, string, string];
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const sign = (head: object, body: object, key: string) => {
    const text = `${base64url(head)}.${base64url(body)}`;
    return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
  };
  const forged = {
    "alg none": `${base64url({ alg: "none", typ: "JWT" })}.${payload}.`,
    "alg None": `${base64url({ alg: "None" })}.${payload}.`,
    "none with our signature": `${base64url({ alg: "none" })}.${payload}.${signature}`,
    "RS256 claimed": `${base64url({ alg: "RS256" })}.${payload}.${signature}`,
    "HS256 with an empty key": sign({ alg: "HS256" }, claims, ""),
    "HS256 with a key of its own": sign({ alg: "HS256", jwk: { kty: "oct", k: "AAAA" } }, claims, "AAAA"),
    "another role": `${header}.${base64url({ ...claims, role: "admin", sub: "usr_x" })}.${signature}`,
    "later expiry": `${header}.${base64url({ ...claims, exp: claims.exp + 1e6 })}.${signature}`,
    "no signature": `${header}.${payload}`,
    "cut signature": `${header}.${payload}.${signature.slice(0, -4)}`,
    "kid as a path": sign({ alg: "HS256", kid: "../../../dev/null" }, claims, ""),
  };
  for (const [name, token] of Object.entries(forged)) {
    const reply = await world.call("GET", "/api/org", { token });
    expect([name, reply.status, reply.json.error]).toEqual([name, 401, "invalid_token"]);
  }
  expect((await world.call("GET", "/api/org", { token: admin })).status).toBe(200);
});

test("every reply carries the headers that keep data from being run, framed or cached; no other site is let in", async () => {
  const replies = [
    await world.call("GET", "/api/health", { headers: { origin: "https://evil.example" } }),
    await world.call("GET", "/api/org", { token: admin, headers: { origin: "https://evil.example" } }),
    await world.call("GET", "/api/nope"),
    await world.call("OPTIONS", "/api/org", {
      headers: { origin: "https://evil.example", "access-control-request-method": "GET" },
    }),
    await world.call("POST", "/api/auth/login", { body: { email: "x@example.com", password: "wrong" } }),
  ];
  for (const { headers } of replies) {
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toStartWith("default-src 'none'");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
    expect([...headers.keys()].filter(name => name.startsWith("access-control-"))).toEqual([]);
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("server")).toBeNull();
  }
});

test("secrets that are shown once are never to be stored on the way", async () => {
  const started = await world.call("POST", "/api/auth/device-code", { body: { name: "x" } });
  const shown = [
    started,
    await world.call("POST", "/api/auth/login", { body: ADMIN }),
    await world.call("POST", "/api/auth/tokens", { token: admin, body: { name: "once" } }),
    await world.call("POST", "/api/auth/enrolment-keys", { token: admin, body: { name: "once" } }),
    await world.call("POST", "/api/org/members", { token: admin, body: { email: "m@example.com", role: "member" } }),
    await world.call("POST", "/api/auth/2fa/setup", { token: admin }),
    await world.call("POST", "/api/demo/session"),
  ];
  expect(shown.map(({ status, headers }) => [status < 300, headers.get("cache-control")])).toEqual(
    shown.map(() => [true, "no-store"]),
  );
  const lists = await Promise.all(
    ["/auth/tokens", "/auth/enrolment-keys", "/org/members"].map(path =>
      world.call("GET", `/api${path}`, { token: admin }),
    ),
  );
  const secrets = shown.flatMap(({ text }) => text.match(/gh[a-z]_[A-Za-z0-9_-]{43}|token=[A-Za-z0-9_-]+/g) ?? []);
  expect(secrets.length).toBeGreaterThan(3);
  // 256 random bits each, none like another, and none told again.
  expect(new Set(secrets).size).toBe(secrets.length);
  for (const secret of secrets) expect(lists.some(({ text }) => text.includes(secret))).toBe(false);
});

test.skipIf(!inProcess)("a second organisation sees nothing of the first, whichever id it names", async () => {
  const { directory } = world.gatehouse.parts;
  const other = directory.organisations.create("Other", "team");
  const hash = await directory.passwords.hash("another long password");
  const account = directory.accounts.create({ email: "eve@example.com", password_hash: hash });
  directory.members.add(other.id, account.id, "admin");
  const signedIn = await world.call("POST", "/api/auth/login", {
    body: { email: "eve@example.com", password: "another long password" },
  });
  const token = signedIn.json.token;
  const scan = {
    project: "shop",
    tool: { name: "x", version: "1" },
    started_at: "2026-11-20T10:00:00Z",
    finished_at: "2026-11-20T10:00:01Z",
    results: [],
  };
  const scan_id = (await world.call("POST", "/api/compliance/scans", { token: admin, body: scan })).json.id;
  const made = await world.call("POST", "/api/auth/tokens", {
    token: admin,
    body: { name: "mine", expires_in_days: 1 },
  });
  const key = await world.call("POST", "/api/auth/enrolment-keys", { token: admin, body: { name: "ci", uses: 1 } });
  const session = (await world.call("GET", "/api/auth/session", { token: admin })).json;
  const members = (await world.call("GET", "/api/org/members", { token: admin })).json.items;
  const ids: string[] = [agent.id, scan_id, made.json.id, key.json.id, members[0].id, session.organisation.id].filter(
    Boolean,
  );
  expect(ids.length).toBeGreaterThanOrEqual(4);
  const leaks: string[] = [];
  for (const { method, path, access } of routeTable(createApp(world.gatehouse.parts)).entries) {
    if (access.need !== "person" && access.need !== "either") continue;
    if (access.demo || /stream|logout/.test(path)) continue;
    const tries = path.includes(":") ? ids : [""];
    for (const id of tries) {
      const where = path.replace(/:\w+/, id) + (path.endsWith("/detail") ? `?id=${scan_id}` : "");
      const reply = await world.call(method, where, {
        token,
        ...(method === "GET" || method === "DELETE"
          ? {}
          : { body: path.includes("/members/") ? { role: "auditor" } : { name: "taken" } }),
      });
      const found = ids.filter(one => reply.text.includes(one));
      if (found.length > 0 && reply.status < 300) leaks.push(`${method} ${where}: ${found}`);
      if (path.includes(":id") ? reply.status !== 404 : path.includes(":") && method !== "GET" && reply.status < 300)
        leaks.push(`${method} ${where}: ${reply.status}`);
      if (reply.status >= 500) leaks.push(`${method} ${where}: ${reply.status} ${reply.text}`);
    }
  }
  expect(leaks).toEqual([]);
  expect((await world.call("GET", `/api/agents/${agent.id}`, { token: admin })).json.name).toBe("laptop");
  expect((await world.call("GET", "/api/audit?limit=200", { token: admin })).text).not.toContain(account.id);
  expect((await world.call("GET", "/api/agents/self", { token: agent.token })).status).toBe(200);
});

test("bombs cost a refusal and little memory", async () => {
  const events = (body: unknown, headers = {}) =>
    world.call("POST", "/api/events", { token: agent.token, body, headers });
  const bomb = gzipSync(new Uint8Array(64 * 1024 * 1024));
  const packed = { "content-encoding": "gzip", "content-type": "application/json" };
  expect([(await events(bomb, packed)).status, bomb.length < 1024 * 1024]).toEqual([413, true]);
  const zstd = compress(new Uint8Array(64 * 1024 * 1024), 3);
  expect((await events(zstd, { ...packed, "content-encoding": "zstd" })).status).toBe(413);
  for (const [encoding, body] of [["gzip", bomb] as const, ["zstd", zstd] as const]) {
    const headers = { ...packed, "content-encoding": encoding };
    const scan = await world.call("POST", "/api/compliance/scans", { token: admin, body, headers });
    expect([encoding, scan.status, scan.json.error]).toEqual([encoding, 413, "too_large"]);
  }
  const otlp = await world.call("POST", "/v1/logs", { token: agent.token, body: bomb, headers: packed });
  expect([otlp.status, otlp.json.error]).toEqual([413, "too_large"]);
  expect((await events(`${"[".repeat(500_000)}`)).status).toBe(400);
  const deep = `{"id":"d","time":"2026-11-20T10:00:00Z","type":"a","attributes":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`;
  expect((await events(deep)).status).toBe(422);
  const yaml = (text: string) =>
    world.call("PUT", "/api/policy/yaml", {
      token: admin,
      body: text,
      headers: { "content-type": "application/yaml" },
    });
  const laughs = ["a: &a [x,x,x,x,x,x,x,x,x]"];
  for (let level = 1; level < 9; level++)
    laughs.push(
      `${"abcdefghi"[level]}: &${"abcdefghi"[level]} [${Array(9)
        .fill(`*${"abcdefghi"[level - 1]}`)
        .join()}]`,
    );
  for (const text of [
    laughs.join("\n"),
    `policy: ${"[".repeat(20_000)}`,
    "policy: !!js/function 'x'",
    "policy: 1\npolicy: 1",
  ]) {
    const started = performance.now();
    expect((await yaml(text)).status).toBe(422);
    expect(performance.now() - started).toBeLessThan(30_000);
  }
  const started = performance.now();
  const slow = await world.call("POST", "/api/playground/analyze", {
    body: { type: "shell", command: `echo ${"{a,b}".repeat(5000)} ${"$(".repeat(3000)}` },
  });
  expect([200, 422]).toContain(slow.status);
  expect(performance.now() - started).toBeLessThan(30_000);
});

/** One connection, bytes as given; everything that came back until it was closed or went quiet. */
function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(world.url);
  return new Promise(resolve => {
    let reply = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes, "latin1"));
    // Quiet counts from the first reply on: before, the server may be at something else.
    socket.setTimeout(60_000, () => socket.destroy());
    socket.on("data", data => {
      reply += data;
      socket.setTimeout(1500);
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(reply));
  });
}

const JSON_BODY = '{"type":"shell","command":"ls"}';
const post = (headers: string, body: string) =>
  `POST /api/playground/analyze HTTP/1.1\r\nHost: gatehouse\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
const chunked = `1f\r\n${JSON_BODY}\r\n0\r\n\r\n`;
const SECOND = "GET /api/health HTTP/1.1\r\nHost: gatehouse\r\n\r\n";

test("framing that two servers could read differently is refused, and nothing behind it is served", async () => {
  const ambiguous = {
    "length and chunks": post("Content-Length: 4\r\nTransfer-Encoding: chunked", chunked),
    "two lengths": post("Content-Length: 31\r\nContent-Length: 4", JSON_BODY),
    "signed length": post("Content-Length: +31", JSON_BODY),
    "unknown coding": post("Transfer-Encoding: xchunked", chunked),
    "space before the colon": post("Transfer-Encoding : chunked", chunked),
    // RFC 9112 §2.2 lets a recipient take a bare line feed for a line end, and Deno does.
    ...(target === "deno" ? {} : { "bare line feeds": "GET /api/health HTTP/1.1\nHost: x\n\n" }),
    "NUL in a header": "GET /api/health HTTP/1.1\r\nHost: x\r\nX: a\u0000b\r\n\r\n",
  };
  for (const [name, bytes] of Object.entries(ambiguous)) {
    const reply = await raw(bytes + SECOND);
    const served = [...reply.matchAll(/HTTP\/1\.1 (\d+)/g)].map(match => Number(match[1]));
    expect([name, served.filter(status => status < 400)]).toEqual([name, []]);
    expect(served.length).toBeLessThanOrEqual(1);
  }
  const plain = await raw(post("Content-Length: 31\r\nConnection: close", JSON_BODY));
  expect(plain).toStartWith("HTTP/1.1 200");
});
