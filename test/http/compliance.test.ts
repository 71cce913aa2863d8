import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { heldAgainst } from "../schemas.ts";
import { inProcess } from "../target.ts";
import { createWorld, type World } from "../world.ts";

/** Frameworks on and off, scans in and out, coverage and its export: over HTTP, and still there after a rebuild. */
let world: World;
let admin: string;
let agent: { id: string; token: string };
beforeAll(async () => {
  world = await createWorld();
  admin = await world.admin();
  agent = await world.agent("laptop");
});
afterAll(() => world.close());

const times = { started_at: "2026-11-21T10:00:00Z", finished_at: "2026-11-21T10:00:02.500Z" };
const native = (results: unknown[], more: object = {}) => ({
  project: "acme/shop",
  tool: { name: "comply", version: "1.0.0" },
  ...times,
  results,
  ...more,
});
const fail = (rule_id: string, message = "found") => ({
  rule_id,
  status: "fail",
  severity: "high",
  location: { path: ".mcp.json", line: 3 },
  message,
});
const pass = (rule_id: string) => ({ rule_id, status: "pass" });
const get = (path: string, token = admin) => world.call("GET", `/api${path}`, { token });
const scan = (body: unknown, headers: Record<string, string> = {}, token = admin, query = "") =>
  world.call("POST", `/api/compliance/scans${query}`, { token, body, headers });
const recording = (name: string) => readFileSync(new URL(`../fixtures/scans/${name}.sarif`, import.meta.url), "utf8");
const sarif = { "content-type": "application/sarif+json" };

test("frameworks: none at first, twelve to choose from, on and off by an admin", async () => {
  expect((await get("/compliance/frameworks")).json).toEqual({ items: [], next_cursor: null });
  const all = await get("/compliance/frameworks?all=true");
  expect(all.json.items).toHaveLength(12);
  expect(all.json.items[0]).toMatchObject({ enabled: false });

  const on = await world.call("POST", "/api/compliance/frameworks", { token: admin, body: { framework: "soc2" } });
  expect(on.status).toBe(201);
  expect(on.json).toMatchObject({ id: "soc2", enabled: true, version: "2017, points of focus of 2022" });
  expect(on.json.controls).toBeGreaterThan(10);
  expect(on.json.enabled_at).toMatch(/Z$/);
  const again = await world.call("POST", "/api/compliance/frameworks", { token: admin, body: { framework: "soc2" } });
  expect(again.json).toEqual(on.json);

  await world.call("POST", "/api/compliance/frameworks", { token: admin, body: { framework: "hipaa" } });
  expect((await get("/compliance/frameworks")).json.items.map((f: { id: string }) => f.id)).toEqual(["soc2", "hipaa"]);
  const off = await world.call("POST", "/api/compliance/frameworks/disable", {
    token: admin,
    body: { framework: "hipaa" },
  });
  expect([off.status, off.json.enabled, "enabled_at" in off.json]).toEqual([200, false, false]);
  expect((await get("/compliance/frameworks")).json.items).toHaveLength(1);
  const log = await get("/audit?type=framework.enabled");
  expect(log.json.items.map((i: { attributes: unknown }) => i.attributes)).toEqual([
    { framework: "hipaa" },
    { framework: "soc2" },
  ]);
});

test("a framework nobody knows is refused by name, and a member may not enable one", async () => {
  const unknown = await world.call("POST", "/api/compliance/frameworks", { token: admin, body: { framework: "soc3" } });
  expect([unknown.status, unknown.json.error]).toEqual([422, "invalid"]);
  expect(unknown.json.details[0].path).toBe("/framework");
  const member = await world.person("member");
  const refused = await world.call("POST", "/api/compliance/frameworks", { token: member, body: { framework: "cis" } });
  expect([refused.status, refused.json.error]).toEqual([403, "forbidden"]);
});

test("rules come with their mappings, to people and to the scanner", async () => {
  const rules = await get("/comply/rules", agent.token);
  expect(rules.json.items.length).toBeGreaterThanOrEqual(40);
  expect(rules.json.items[0]).toEqual({
    id: expect.stringMatching(/^GH-/),
    title: expect.any(String),
    why: expect.any(String),
    severity: expect.stringMatching(/^(low|medium|high|critical)$/),
    fix: expect.any(String),
    mappings: expect.any(Array),
  });
  const hipaa = await get("/compliance/rules?framework=hipaa");
  const frameworks = hipaa.json.items.flatMap((r: { mappings: { framework: string }[] }) =>
    r.mappings.map(m => m.framework),
  );
  expect(new Set(frameworks)).toEqual(new Set(["hipaa"]));
  expect((await get("/compliance/rules?framework=nope")).status).toBe(422);

  const first = await get("/compliance/rules?limit=30");
  const rest = await get(`/compliance/rules?limit=200&cursor=${first.json.next_cursor}`);
  expect(first.json.items.length + rest.json.items.length).toBe(rules.json.items.length);
  expect(rest.json.next_cursor).toBeNull();
});

test("a native scan is compared with the one before, and its results come back", async () => {
  const first = await scan(native([fail("GH-MCP-002"), fail("GH-PERM-001"), pass("GH-MCP-004")]));
  expect(first.status).toBe(201);
  expect(first.json).toEqual({
    id: expect.stringMatching(/^scn_/),
    project: "acme/shop",
    status: "fail",
    summary: { pass: 1, fail: 2, error: 0, not_applicable: 0, new: 2, fixed: 0, unchanged: 0 },
    truncated: false,
    received_at: expect.stringMatching(/Z$/),
  });
  const second = await scan(native([fail("GH-MCP-002"), pass("GH-PERM-001"), fail("GH-MCP-003")]), {}, agent.token);
  expect(second.json.summary).toMatchObject({ new: 1, fixed: 1, unchanged: 1 });

  const detail = await get(`/compliance/scans/detail?id=${second.json.id}`);
  expect(detail.json).toMatchObject({ ...second.json, tools: [{ name: "comply", version: "1.0.0" }], ...times });
  expect(detail.json.results.map((r: { rule_id: string; state?: string }) => [r.rule_id, r.state])).toEqual([
    ["GH-MCP-002", "unchanged"],
    ["GH-PERM-001", undefined],
    ["GH-MCP-003", "new"],
  ]);
  expect((await get("/compliance/scans/latest?project=acme/shop")).json.id).toBe(second.json.id);
  const log = await get("/audit?type=scan.ingested");
  expect(log.json.items[0]).toMatchObject({ agent_id: agent.id, actor: { kind: "agent" } });
});

test("SARIF of other tools comes in, packed or not, with the project from where it is said", async () => {
  const eslint = await scan(recording("eslint"), sarif, admin, "?project=acme/web");
  expect([eslint.status, eslint.json.project, eslint.json.summary.fail]).toEqual([201, "acme/web", 7]);
  const packed = gzipSync(recording("secretlint"));
  const secretlint = await scan(packed, { ...sarif, "content-encoding": "gzip" }, admin, "?project=acme/web");
  expect([secretlint.status, secretlint.json.summary]).toMatchObject([201, { fail: 3, new: 3 }]);
  const again = await scan(recording("eslint"), sarif, admin, "?project=acme/web");
  expect(again.json.summary).toMatchObject({ new: 0, unchanged: 7, fixed: 0 });
  const nameless = await scan(recording("oxlint"), sarif);
  expect([nameless.status, nameless.json.details[0].path]).toEqual([422, "/runs/0/automationDetails/id"]);
  const named = JSON.parse(recording("oxlint"));
  named.runs[0].automationDetails = { id: "acme/api/2026-11-21" };
  expect((await scan(named, sarif)).json.project).toBe("acme/api");
});

test("secrets in a scan's messages do not reach the log", async () => {
  const secret = `ghp_${"Ab1".repeat(12)}`;
  const made = await scan(native([fail("GH-SEC-001", `token ${secret} committed`)], { project: "acme/leak" }));
  const detail = await get(`/compliance/scans/detail?id=${made.json.id}`);
  expect(detail.text).not.toContain(secret);
  expect((await get(`/audit?q=${secret}`)).json.items).toEqual([]);
});

test("of a scan that is too long the most severe results are kept, and the scan says so", async () => {
  const results = Array.from({ length: 5_100 }, (_, i) => ({
    ...fail(`R-${i}`),
    severity: i < 100 ? "critical" : "low",
  }));
  const made = await scan(native(results.reverse(), { project: "acme/long" }));
  expect(made.json).toMatchObject({ truncated: true, summary: { fail: 5_000 } });
  const detail = await get(`/compliance/scans/detail?id=${made.json.id}`);
  expect(detail.json.results).toHaveLength(5_000);
  expect(detail.json.results.slice(0, 100).every((r: { severity: string }) => r.severity === "critical")).toBe(true);
});

test("the same Idempotency-Key gives the same scan for a day, and is refused for another body", async () => {
  const headers = { "idempotency-key": "run-77" };
  const body = native([fail("GH-ENV-001")], { project: "acme/idem" });
  const first = await scan(body, headers);
  const again = await scan(body, headers);
  expect([again.status, again.json]).toEqual([201, first.json]);
  const other = await scan(native([], { project: "acme/idem" }), headers);
  expect([other.status, other.json.error]).toEqual([422, "invalid"]);
  expect((await scan(body, headers, agent.token)).json.id).not.toBe(first.json.id);
  expect((await get("/compliance/scans/history?project=acme/idem")).json.items).toHaveLength(2);
});

test("history and projects are pages that go on", async () => {
  const page = await get("/compliance/scans/history?limit=2");
  expect(page.json.items).toHaveLength(2);
  expect(page.headers.get("link")).toContain('rel="next"');
  const seen: string[] = page.json.items.map((s: { id: string }) => s.id);
  for (let cursor = page.json.next_cursor; cursor; ) {
    const next = await get(`/compliance/scans/history?limit=2&cursor=${cursor}`);
    seen.push(...next.json.items.map((s: { id: string }) => s.id));
    cursor = next.json.next_cursor;
  }
  expect(new Set(seen).size).toBe(seen.length);
  const projects = await get("/compliance/scans/projects");
  const web = projects.json.items.find((p: { project: string }) => p.project === "acme/web");
  expect(web).toEqual({ project: "acme/web", scans: 3, last_scan_at: expect.stringMatching(/Z$/), fail: 10 });
  expect((await get("/compliance/scans/projects?limit=1")).json.next_cursor).not.toBeNull();
});

test.each([
  ["{", "application/json", 400, "malformed_json"],
  ["", "application/json", 400, "malformed_json"],
  ["{}", "text/plain", 415, "unsupported_media_type"],
  ["{}", "application/json", 422, "invalid"],
  ['{"version":"2.1.0","runs":[{}]}', "application/sarif+json", 422, "invalid"],
  ["[]", "application/sarif+json", 422, "invalid"],
])("%j as %s is refused with %d", async (body, type, status, error) => {
  const reply = await scan(body, { "content-type": type });
  expect([reply.status, reply.json.error]).toEqual([status, error]);
});

test("what is not there is not there", async () => {
  expect((await get("/compliance/scans/detail?id=scn_none")).status).toBe(404);
  expect((await get("/compliance/scans/latest?project=nobody")).status).toBe(404);
  expect((await get("/compliance/scans/detail")).status).toBe(422);
});

test("coverage says what is covered, failing and not looked at, with its positions and scans", async () => {
  const status = await get("/compliance/status");
  expect(status.json.frameworks.map((f: { framework: string }) => f.framework)).toEqual(["soc2"]);
  const [soc2] = status.json.frameworks;
  const control = (id: string) => soc2.controls.find((c: { control: string }) => c.control === id);
  expect(Object.values<number>(soc2.summary).reduce((a, b) => a + b)).toBe(soc2.controls.length);
  const failing = control("CC6.3");
  expect(failing.status).toBe("failing");
  const leaked = control("CC6.1").rules.find((r: { rule: string }) => r.rule === "GH-MCP-003");
  expect(leaked).toMatchObject({ status: "fail", scans: [expect.stringMatching(/^scn_/)] });
  const untouched = control("CC6.8").rules.find((r: { rule: string }) => r.rule === "GH-REPO-001");
  expect(untouched).toEqual({ rule: "GH-REPO-001", status: "not_evaluated", scans: [] });
  const chain = control("CC2.1").evidence.find((e: { kind: string }) => e.kind === "chain-verified");
  expect(chain).toMatchObject({ status: "met", log: { from: 0, to: expect.any(Number) } });
  expect((await get("/compliance/status?framework=cis")).json.frameworks[0].framework).toBe("cis");
  expect((await get("/compliance/status?framework=nope")).status).toBe(422);
});

test("coverage leaves as OSCAL assessment results", async () => {
  const reply = await get("/compliance/export?format=oscal");
  expect(reply.headers.get("content-disposition")).toContain("assessment-results.json");
  const document = reply.json["assessment-results"];
  expect(heldAgainst(`oscal-assessment-results-${document.metadata["oscal-version"]}.json`)(reply.json)).toEqual([]);
  expect(document.results[0].findings.length).toBeGreaterThan(3);
  expect((await get("/compliance/export?format=pdf")).status).toBe(422);
});

test.skipIf(!inProcess)(
  "nothing of it belongs to another organisation, and all of it survives a restart and a rebuild",
  async () => {
    const ask = () =>
      Promise.all(["frameworks", "scans/history?limit=200", "scans/projects"].map(p => get(`/compliance/${p}`)));
    const before = (await ask()).map(reply => reply.json);
    await world.restart();
    expect((await ask()).map(reply => reply.json)).toEqual(before);
    const { directory, dispatch } = world.gatehouse.parts;
    const org = directory.members.places(directory.accounts.byEmail("ada@example.com")!.id)[0]!.id;
    await dispatch.finish(org, "org.rebuild", null);
    expect((await ask()).map(reply => reply.json)).toEqual(before);
  },
);
