import { afterAll, beforeAll, expect, test } from "bun:test";
import { demoTable } from "../../src/http/routes/demo.ts";
import { routeTable } from "../../src/http/route-table.ts";
import { createApp } from "../../src/http/server.ts";
import { inProcess } from "../target.ts";
import { createWorld, type World } from "../world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ GATEHOUSE_DEMO_CAPACITY: "6", GATEHOUSE_TRUSTED_PROXIES: "127.0.0.1" });
});
afterAll(() => world.close());

let address = 0;
/** Each visitor comes from an address of their own. */
async function open(of = world): Promise<string> {
  const headers = { "x-forwarded-for": `10.0.0.${++address}` };
  const reply = await of.call("POST", "/api/demo/session", { headers });
  expect([reply.status, reply.json]).toEqual([201, { session: expect.any(String), expires_in: 3600 }]);
  return reply.json.session;
}
const visit = (session: string, method: string, path: string, body?: unknown, headers = {}) =>
  world.call(method, `/api/demo${path}`, {
    headers: { "x-demo-session": session, ...headers },
    ...(body === undefined ? {} : { body }),
  });

test.skipIf(!inProcess)("every row of the table is served and nothing else is below /api/demo", () => {
  const { entries } = routeTable(createApp(world.gatehouse.parts));
  const all = entries.map(({ method, path }) => `${method} ${path}`);
  const rows = demoTable.filter(entry => all.includes(entry.replace(" ", " /api")));
  expect(rows.length).toBeGreaterThan(18);
  const own = ["POST /api/demo/session", "DELETE /api/demo/session", "POST /api/demo/reset"];
  const wanted = [...own, ...rows.map(entry => entry.replace(" ", " /api/demo"))];
  expect(all.filter(entry => entry.includes(" /api/demo/")).sort()).toEqual(wanted.sort());
});

test("a visitor finds a company with a past", async () => {
  const session = await open();
  expect(session).toMatch(/^ghd_[A-Za-z0-9_-]{43}$/);
  const org = await visit(session, "GET", "/org");
  expect(org.json).toMatchObject({ name: "Fernleaf Robotics", role: "admin", enforcement_mode: "enforce" });
  expect(org.json.plan.id).toBe("team");
  const members = await visit(session, "GET", "/org/members?limit=3");
  expect(members.json.items.length).toBe(3);
  const rest = await visit(session, "GET", `/org/members?cursor=${members.json.next_cursor}`);
  expect([rest.json.items.length, rest.json.next_cursor, rest.json.items.at(-1).status]).toEqual([4, null, "invited"]);
  const stats = await visit(session, "GET", "/agents/stats");
  expect(stats.json).toMatchObject({ total: 8, active: 6, stale: 1, never_seen: 1 });
  const counts = (await visit(session, "GET", "/audit/stats?bucket=day")).json;
  expect(counts.total).toBeGreaterThan(1500);
  expect(counts.by_decision.BLOCK).toBeGreaterThan(3);
  expect(counts.series.length).toBeGreaterThan(14);
  const blocked = (await visit(session, "GET", "/audit?decision=BLOCK&limit=5")).json.items;
  expect(blocked.length).toBe(5);
  const chain = (await visit(session, "GET", "/posture/attestation-chain")).json;
  expect(chain).toMatchObject({ valid: true, from: 0 });
  expect(chain.checkpoint).toStartWith("gatehouse/demo\n");
  const scans = (await visit(session, "GET", "/compliance/scans/projects")).json.items;
  expect(scans.map((one: { project: string }) => one.project).sort()).toEqual(["fleet-dashboard", "gripper-firmware"]);
  const latest = (await visit(session, "GET", "/compliance/scans/latest?project=gripper-firmware")).json;
  expect(latest.summary).toMatchObject({ fail: 2, new: 1, unchanged: 1, fixed: 1 });
  const enabled = (await visit(session, "GET", "/compliance/frameworks")).json.items;
  expect(enabled.map((one: { id: string }) => one.id).sort()).toEqual(["owasp-agentic", "soc2"]);
  const soc2 = (await visit(session, "GET", "/compliance/status?framework=soc2")).json.frameworks[0];
  const statuses = new Set(soc2.controls.map((one: { status: string }) => one.status));
  expect([...statuses]).toEqual(expect.arrayContaining(["covered", "failing"]));
  const drift = (await visit(session, "GET", "/posture/drift")).json.items;
  const kinds = drift.map((one: { kind: string }) => one.kind);
  expect(kinds).toEqual(expect.arrayContaining(["undeclared_server", "annotation_changed", "description_changed"]));
  const numbers = (await visit(session, "GET", "/dashboard")).json;
  expect(numbers).toMatchObject({ agents: { total: 8 }, enforcement_mode: "enforce", chain: { size: counts.total } });
  expect((await visit(session, "GET", "/posture/keys")).json.keys[0].vkey).toStartWith("gatehouse/demo+");
});

test("what a visitor changes is theirs alone, and reset takes it back", async () => {
  const [one, other] = [await open(), await open()];
  const renamed = await visit(one, "PATCH", "/org", { name: "Mine now" });
  expect([renamed.status, renamed.json.name]).toEqual([200, "Mine now"]);
  await visit(one, "PUT", "/org/enforcement-mode", { mode: "audit-only" });
  const check = await visit(one, "POST", "/policy/check", { type: "shell", command: "sudo rm -rf /" });
  expect(check.json).toMatchObject({ decision: "BLOCK", enforced: false, mode: "audit-only" });
  const yaml = { "content-type": "application/yaml" };
  const changed = await visit(one, "PUT", "/policy/yaml", "policy: 1\nno_match: ASK\n", yaml);
  expect([changed.status, changed.json.version]).toEqual([200, 3]);
  expect((await visit(one, "GET", "/org")).json).toMatchObject({ name: "Mine now", enforcement_mode: "audit-only" });
  expect((await visit(other, "GET", "/org")).json).toMatchObject({
    name: "Fernleaf Robotics",
    enforcement_mode: "enforce",
  });
  expect((await visit(other, "GET", "/policy")).json.version).toBe(2);
  const keys = [await visit(one, "GET", "/posture/keys"), await visit(other, "GET", "/posture/keys")];
  expect(keys[0]!.json.keys[0].vkey).not.toBe(keys[1]!.json.keys[0].vkey);
  const reset = await visit(one, "POST", "/reset");
  expect([reset.status, reset.json]).toEqual([200, { session: one, expires_in: 3600 }]);
  expect((await visit(one, "GET", "/org")).json).toMatchObject({
    name: "Fernleaf Robotics",
    enforcement_mode: "enforce",
  });
});

test("outside the table there is nothing, whoever asks", async () => {
  const session = await open();
  for (const [method, path] of [
    ["POST", "/org/members"],
    ["DELETE", "/org"],
    ["PUT", "/org/plan"],
    ["PATCH", "/agents/x"],
    ["DELETE", "/agents/x"],
    ["GET", "/auth/tokens"],
    ["POST", "/auth/login"],
    ["POST", "/events"],
    ["POST", "/heartbeat"],
    ["GET", "/session"],
    ["GET", "/agents/self"],
    ["GET", "/nope"],
    ["GET", "/"],
  ] as const) {
    const reply = await visit(session, method, path, method === "GET" ? undefined : {});
    expect([method, path, reply.status, reply.json?.error]).toEqual([method, path, 404, "not_in_demo"]);
  }
});

test("the handle opens the demo and nothing else; no other token opens the demo", async () => {
  const session = await open();
  const headers = { "x-demo-session": session };
  const tenant = await world.call("GET", "/api/org", { headers, token: await world.admin() });
  expect([tenant.status, tenant.json.error]).toEqual([403, "demo_not_allowed"]);
  const bearer = await world.call("GET", "/api/org", { token: session });
  expect(bearer.status).toBe(401);
  expect((await world.call("GET", "/api/health", { headers })).status).toBe(200);
  const judged = await world.call("POST", "/api/playground/analyze", {
    headers,
    body: { type: "shell", command: "ls" },
  });
  expect(judged.status).toBe(200);
  for (const wrong of ["", "ghd_", `ghd_${"A".repeat(43)}`, await world.admin(), (await world.agent()).token]) {
    const reply = await visit(wrong, "GET", "/org", undefined, { authorization: `Bearer ${await world.admin()}` });
    expect([reply.status, reply.json.error]).toEqual([401, "demo_expired"]);
  }
});

test("DELETE ends it; a second time it is unknown", async () => {
  const session = await open();
  expect((await visit(session, "DELETE", "/session")).status).toBe(204);
  for (const [method, path] of [
    ["DELETE", "/session"],
    ["GET", "/org"],
    ["POST", "/reset"],
  ] as const) {
    const reply = await visit(session, method, path);
    expect([reply.status, reply.json.error]).toEqual([401, "demo_expired"]);
  }
});

test.skipIf(!inProcess)("an idle hour ends it; use keeps it", async () => {
  const [used, idle] = [await open(), await open()];
  world.advance(40 * 60_000);
  expect((await visit(used, "GET", "/org")).status).toBe(200);
  world.advance(40 * 60_000);
  expect((await visit(used, "GET", "/agents/stats")).json.active).toBe(6);
  expect((await visit(idle, "GET", "/org")).status).toBe(401);
});

test.skipIf(!inProcess)("past the capacity the least recently used goes", async () => {
  const first = await open();
  const second = await open();
  for (let more = 0; more < 4; more++) await open();
  await visit(first, "GET", "/org");
  await open();
  expect((await visit(first, "GET", "/org")).status).toBe(200);
  expect((await visit(second, "GET", "/org")).status).toBe(401);
  expect((await world.gatehouse.parts.demo.count()).workspaces).toBe(6);
});

test.skipIf(!inProcess)("opening sessions in a loop is bounded by number, by bytes and by rate", async () => {
  const { demo } = world.gatehouse.parts;
  for (let round = 0; round < 60; round++) {
    const { session } = await demo.open();
    await demo.enter(session);
  }
  const { workspaces, bytes } = await demo.count();
  expect(workspaces).toBe(6);
  // Each is weighed as what it takes, not as a handle.
  expect(bytes).toBeGreaterThan(6 * 500 * 1024);
  expect(bytes).toBeLessThan(6 * 4 * 1024 * 1024);
  const headers = { "x-forwarded-for": "192.0.2.1" };
  const statuses = [];
  for (let call = 0; call < 11; call++)
    statuses.push((await world.call("POST", "/api/demo/session", { headers })).status);
  expect(statuses).toEqual([...Array(10).fill(201), 429]);
});

test("a restart ends every workspace, and nothing of them is on disk", async () => {
  const session = await open();
  await visit(session, "PATCH", "/org", { name: "A very findable name" });
  const { readdirSync, readFileSync } = await import("node:fs");
  const files = readdirSync(world.data, { recursive: true, withFileTypes: true }).filter(file => file.isFile());
  for (const file of files)
    expect(readFileSync(`${file.parentPath}/${file.name}`).includes("A very findable name")).toBe(false);
  await world.restart();
  expect((await visit(session, "GET", "/org")).status).toBe(401);
});
