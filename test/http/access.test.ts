import { afterAll, beforeAll, expect, test } from "bun:test";
import { routeTable } from "../../src/http/route-table.ts";
import { createApp } from "../../src/http/server.ts";
import { inProcess } from "../target.ts";
import { pagePaths } from "../../src/web/pages.ts";
import { createWorld, type World } from "../world.ts";

/** Who gets past the front door. `P` anybody, `U` any person, `M` admin and member, `Ad` admin, `A` agent, `B` person or agent,
 * `W` whoever may write scans. */
const matrix: Record<string, "P" | "U" | "M" | "Ad" | "A" | "B" | "W"> = {
  "GET /assets/:name": "P",
  ...Object.fromEntries(pagePaths.map(path => [`GET ${path}`, "P" as const])),
  "GET /.well-known/oauth-authorization-server": "P",
  "GET /api/health": "P",
  "GET /metrics": "P",
  "GET /api/releases/latest": "P",
  "GET /api/releases/download/:name": "P",
  "GET /api/openapi.json": "P",
  "GET /api/docs": "P",
  "POST /api/playground/analyze": "P",
  "POST /api/auth/login": "P",
  "POST /api/auth/logout": "U",
  "GET /api/auth/session": "U",
  "POST /api/auth/session": "U",
  "POST /api/auth/setup": "P",
  "POST /api/auth/device-code": "P",
  "GET /api/auth/device-verify": "U",
  "POST /api/auth/device-verify": "M",
  "POST /api/auth/device-token": "P",
  "GET /api/auth/providers": "P",
  "POST /api/auth/2fa/verify": "P",
  "POST /api/auth/2fa/setup": "U",
  "POST /api/auth/2fa/enable": "U",
  "POST /api/auth/2fa/disable": "U",
  "POST /api/auth/password": "U",
  "GET /api/auth/sessions": "U",
  "DELETE /api/auth/sessions/:id": "U",
  "GET /api/auth/devices": "U",
  "DELETE /api/auth/devices/:id": "U",
  "GET /api/auth/tokens": "U",
  "POST /api/auth/tokens": "U",
  "DELETE /api/auth/tokens/:id": "U",
  "POST /api/auth/accept-invitation": "P",
  "GET /api/auth/enrolment-keys": "Ad",
  "POST /api/auth/enrolment-keys": "Ad",
  "DELETE /api/auth/enrolment-keys/:id": "Ad",
  "POST /api/auth/enrol": "P",
  "GET /api/org": "U",
  "PATCH /api/org": "Ad",
  "GET /api/org/members": "U",
  "POST /api/org/members": "Ad",
  "PATCH /api/org/members/:id": "Ad",
  "DELETE /api/org/members/:id": "Ad",
  "GET /api/org/plan": "B",
  "PUT /api/org/plan": "Ad",
  "GET /api/plans": "B",
  "GET /api/org/enforcement-mode": "U",
  "PUT /api/org/enforcement-mode": "Ad",
  "GET /api/agents": "U",
  "GET /api/agents/stats": "U",
  "GET /api/agents/self": "A",
  "GET /api/agents/:id": "U",
  "PATCH /api/agents/:id": "Ad",
  "DELETE /api/agents/:id": "Ad",
  "POST /api/heartbeat": "A",
  "GET /api/agent/config": "A",
  "GET /api/policy": "B",
  "GET /api/policy/yaml": "B",
  "PUT /api/policy/yaml": "Ad",
  "PUT /api/policy": "Ad",
  "GET /api/policy/history": "U",
  "GET /api/policy/history/:version": "U",
  "POST /api/policy/validate": "U",
  "POST /api/policy/replay": "U",
  "GET /api/packs": "B",
  "GET /api/packs/:name": "B",
  "POST /api/policy/check": "A",
  "POST /api/hooks/:client": "A",
  "POST /v1/logs": "A",
  "POST /v1/traces": "A",
  "POST /v1/metrics": "A",
  "POST /api/events": "A",
  "GET /api/audit": "U",
  "GET /api/audit/stats": "U",
  "GET /api/audit/export": "U",
  "GET /api/audit/:seq": "U",
  "GET /api/posture/attestation-chain": "U",
  "GET /api/posture/checkpoint": "U",
  "GET /api/posture/keys": "U",
  "GET /api/posture/proof": "U",
  "GET /api/posture/evidence": "U",
  "GET /api/posture/control-evidence": "U",
  "GET /api/posture/drift": "U",
  "POST /api/posture/drift/accept": "Ad",
  "GET /api/audit/mcp-servers": "U",
  "GET /api/audit/stream": "U",
  "GET /api/dashboard": "U",
  "GET /api/compliance/frameworks": "U",
  "POST /api/compliance/frameworks": "Ad",
  "POST /api/compliance/frameworks/disable": "Ad",
  "GET /api/compliance/rules": "B",
  "GET /api/comply/rules": "B",
  "GET /api/compliance/status": "U",
  "GET /api/compliance/export": "U",
  "POST /api/compliance/scans": "W",
  "GET /api/compliance/scans/latest": "U",
  "GET /api/compliance/scans/history": "U",
  "GET /api/compliance/scans/detail": "U",
  "GET /api/compliance/scans/projects": "U",
};

const passes = {
  P: "nobody admin member auditor agent garbage demo",
  U: "admin member auditor",
  M: "admin member",
  Ad: "admin",
  A: "agent",
  B: "admin member auditor agent",
  W: "admin member agent",
};

let world: World;
const callers: Record<string, { token?: string; headers?: Record<string, string> }> = {};

beforeAll(async () => {
  world = await createWorld({ GATEHOUSE_PLAYGROUND_PER_MINUTE: "10000" });
  callers["nobody"] = {};
  callers["garbage"] = { token: "eyJhbGciOiJub25lIn0.e30." };
  callers["demo"] = { token: await world.admin(), headers: { "x-demo-session": `ghd_${"A".repeat(43)}` } };
  for (const role of ["admin", "member", "auditor"] as const) callers[role] = { token: await world.person(role) };
  callers["agent"] = { token: (await world.agent()).token };
});
afterAll(() => world.close());

const routes = () =>
  routeTable(createApp(world.gatehouse.parts))
    .entries.map(({ method, path }) => `${method} ${path}`)
    // The demo's have a test of their own.
    .filter(entry => !entry.includes(" /api/demo/"));

test.skipIf(!inProcess)("every route has a row and every row a route", () => {
  expect(routes().sort()).toEqual(Object.keys(matrix).sort());
});

test("each kind of caller gets exactly as far as the matrix says", async () => {
  const wrong: string[] = [];
  for (const [entry, row] of Object.entries(matrix)) {
    for (const [name, caller] of Object.entries(callers)) {
      const [method, path] = entry.split(" ") as [string, string];
      if (["POST /api/auth/logout"].includes(entry) && passes[row].includes(name)) continue;
      // An id nobody has, a body that is not JSON: whoever passes fails later and differently.
      const reply = await world.call(method, path.replace(/:\w+/, "agt_none"), {
        ...caller,
        // The live tail would never end; with this it fails as soon as somebody is let in.
        headers: { ...caller.headers, "last-event-id": "none" },
        ...(method === "GET" || method === "DELETE" ? {} : { body: "{" }),
      });
      const may = passes[row].split(" ").includes(name);
      const got = reply.json?.error;
      const refused = ["unauthenticated", "invalid_token", "wrong_caller", "forbidden", "demo_not_allowed"].includes(
        got,
      );
      if (may === refused) wrong.push(`${entry} by ${name}: ${reply.status} ${got}`);
      if (reply.status >= 500) wrong.push(`${entry} by ${name}: ${reply.status} ${reply.text}`);
    }
  }
  expect(wrong).toEqual([]);
}, 300_000);

test("what is refused says so in one way: 401 with a challenge, 403 without", async () => {
  const nobody = await world.call("GET", "/api/org");
  expect([nobody.status, nobody.json.error, nobody.headers.get("www-authenticate")]).toEqual([
    401,
    "unauthenticated",
    'Bearer realm="gatehouse"',
  ]);
  const garbage = await world.call("GET", "/api/org", callers["garbage"]);
  expect([garbage.status, garbage.headers.get("www-authenticate")]).toEqual([
    401,
    'Bearer realm="gatehouse", error="invalid_token"',
  ]);
  const demo = await world.call("GET", "/api/org", callers["demo"]);
  expect([demo.status, demo.json.error]).toEqual([403, "demo_not_allowed"]);
  const bearer = await world.call("GET", "/api/org", { token: `ghd_${"A".repeat(43)}` });
  expect(bearer.status).toBe(401);
});
