import { validate } from "@hyperjump/json-schema/openapi-3-1";
import { FormatRegistry } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { refusals } from "../../src/errors.ts";
import { replies } from "../../src/http/replies.ts";
import { createWorld, type World } from "../world.ts";

/** The endpoint table of the specification, and nothing less. */
const specified =
  `GET /health · GET /releases/latest · POST /playground/analyze · POST /auth/login · POST /auth/device-code ·
GET /auth/device-verify · POST /auth/device-verify · POST /auth/device-token · POST /auth/2fa/verify · GET /org · GET /org/members ·
POST /org/members · DELETE /org/members/{id} · GET /org/enforcement-mode · PUT /org/enforcement-mode · GET /org/plan · GET /plans ·
GET /dashboard · GET /agents · GET /agents/stats · GET /agents/self · POST /heartbeat · GET /agent/config · GET /policy ·
GET /policy/yaml · GET /packs · GET /packs/{name} · POST /events · GET /audit · GET /audit/stats · GET /audit/mcp-servers ·
GET /posture/evidence · GET /posture/control-evidence · GET /posture/attestation-chain · GET /posture/drift ·
GET /compliance/frameworks · POST /compliance/frameworks · POST /compliance/frameworks/disable · GET /compliance/rules ·
GET /comply/rules · POST /compliance/scans · GET /compliance/scans/latest · GET /compliance/scans/history ·
GET /compliance/scans/detail · GET /compliance/scans/projects · GET /compliance/status · POST /policy/check · POST /demo/session ·
DELETE /demo/session`
    .split("·")
    .map(entry => entry.trim().split(" ") as [method: string, path: string]);

FormatRegistry.Set("date-time", text => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(text));

let world: World;
let agent: string;
let session: string;
// biome-ignore lint/suspicious/noExplicitAny: the document is what is looked into
let document: any;

const scan = {
  project: "shop",
  tool: { name: "gatehouse comply", version: "1" },
  started_at: "2026-11-20T10:00:00Z",
  finished_at: "2026-11-20T10:00:01Z",
  results: [
    { rule_id: "GH-HOOK-003", status: "fail", location: { path: "a.json", line: 1 }, message: "no limit" },
    { rule_id: "GH-SEC-001", status: "pass" },
  ],
};
const mcp_servers = [{ name: "github", tools: [{ name: "search" }] }];
let scan_id: string;

beforeAll(async () => {
  world = await createWorld();
  agent = (await world.agent()).token;
  document = (await world.call("GET", "/api/openapi.json")).json;
  const beat = { platform: "linux", hooks: [{ client: "codex", installed: true }], mcp_servers };
  await world.call("POST", "/api/heartbeat", { token: agent, body: beat });
  const call = { type: "mcp", server: "github", tool: "search", args: {} };
  await world.call("POST", "/api/policy/check", { token: agent, body: call });
  await world.call("POST", "/api/policy/check", { token: agent, body: { type: "shell", command: "rm -rf /" } });
  const token = await world.admin();
  await world.call("POST", "/api/compliance/frameworks", { token, body: { framework: "soc2" } });
  scan_id = (await world.call("POST", "/api/compliance/scans", { token, body: scan })).json.id;
  session = (await world.call("POST", "/api/demo/session")).json.session;
});
afterAll(() => world.close());

test("every endpoint of the specification is described; what is more says that it is an extension", () => {
  expect(document.openapi).toBe("3.1.0");
  const missing = specified.filter(([method, path]) => !document.paths[`/api${path}`]?.[method.toLowerCase()]);
  expect(missing).toEqual([]);
  const known = new Set(specified.map(([method, path]) => `${method} /api${path}`));
  const unmarked = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { "x-extension"?: boolean }>).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      if (path.startsWith("/api/demo/")) return [];
      return known.has(name) !== !operation["x-extension"] ? [name] : [];
    }),
  );
  expect(unmarked).toEqual([]);
});

test("the description is OpenAPI 3.1 by the published schema, its own schemas included; one with a mistake is not", async () => {
  const published = "https://spec.openapis.org/oas/3.1/schema-base";
  expect(await validate(published, document, "BASIC")).toEqual({ valid: true });
  const path = { get: { parameters: [{ name: "q", in: "query", schema: { type: "text" } }], responses: {} } };
  for (const wrong of [{ paths: { "/q": path } }, { info: {} }, { paths: { q: {} } }])
    expect((await validate(published, { ...document, ...wrong })).valid).toBe(false);
});

test("every operation says who may call it, what it answers and which refusals each status may carry", () => {
  // biome-ignore lint/suspicious/noExplicitAny: the document is what is looked into
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, any>>))
    for (const [method, operation] of Object.entries(methods)) {
      const { responses, summary, security, operationId } = operation;
      expect([path, method, typeof summary, Array.isArray(security), typeof operationId]).toEqual([
        ...[path, method, "string", true, "string"],
      ]);
      const statuses = Object.keys(responses);
      expect(statuses.some(status => Number(status) < 300)).toBe(true);
      for (const [status, response] of Object.entries(responses as Record<string, { "x-errors"?: string[] }>))
        for (const code of response["x-errors"] ?? [])
          expect(refusals[code as keyof typeof refusals][0]).toBe(Number(status) as never);
    }
  const every = new Set(
    JSON.stringify(document)
      .match(/"x-errors":\[[^\]]*\]/g)!
      .flatMap(text => text.match(/[a-z_]{4,}/g)!),
  );
  const undescribed = Object.keys(refusals).filter(code => !every.has(code));
  expect(undescribed.sort()).toEqual(["method_not_allowed"]);
});

test("parameters are described as they are taken, and what is pulled says that it may not have changed", async () => {
  // biome-ignore lint/suspicious/noExplicitAny: the document is what is looked into
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, any>>))
    for (const { parameters } of Object.values(methods)) {
      const names = (place: string) =>
        parameters.flatMap((one: { in: string; name: string }) => (one.in === place ? [one.name] : []));
      expect([path, names("path")]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]);
      const limit = parameters.find((one: { name: string }) => one.name === "limit");
      if (limit) expect(limit).toMatchObject({ in: "query", schema: { type: "integer", minimum: 1, maximum: 200 } });
    }
  for (const path of ["/audit", "/packs/{name}", "/demo/policy"])
    expect(Object.keys(document.paths[path].get.responses["200"].content)).toEqual(["text/html"]);
  const token = await world.admin();
  for (const path of ["/api/policy", "/api/policy/yaml", "/api/packs", "/api/packs/core", "/api/openapi.json"]) {
    const etag = (await world.call("GET", path, { token })).headers.get("etag")!;
    expect((await world.call("GET", path, { token, headers: { "if-none-match": etag } })).status).toBe(304);
    const { responses, parameters } = document.paths[path.replace("core", "{name}")].get;
    expect([path, Object.hasOwn(responses, "304")]).toEqual([path, true]);
    expect(parameters).toContainEqual(expect.objectContaining({ name: "If-None-Match", in: "header" }));
  }
});

/** Live answers of the reading routes, with the queries some of them need. */
const queries: Record<string, string> = {
  "/posture/control-evidence": "?framework=soc2&control=CC6.1",
  "/posture/evidence": "?framework=soc2&limit=3",
  "/compliance/status": "?framework=soc2",
  "/posture/proof": "?seq=0",
  "/compliance/scans/latest": "?project=PROJECT",
  "/packs/:name": "core",
  "/audit/:seq": "2",
  "/policy/history/:version": "1",
};
const skipped = ["/audit/stream", "/releases/download/:name", "/auth/device-verify", "/agents/:id"];

async function answers(prefix: string, headers: (need: string) => object, scanOf: () => string, project: string) {
  const wrong: string[] = [];
  let checked = 0;
  for (const [entry, { schema, status = 200, type }] of Object.entries(replies)) {
    const [method, template] = entry.split(" ") as [string, string];
    if (method !== "GET" || skipped.includes(template) || !document.paths[described(prefix, template)]?.get) continue;
    const query = template === "/compliance/scans/detail" ? `?id=${scanOf()}` : (queries[template] ?? "");
    const path = template.includes(":")
      ? template.replace(/:\w+/, query)
      : template + query.replace("PROJECT", project);
    const need = ["/agents/self", "/agent/config"].includes(template) ? "agent" : "person";
    const reply = await world.call("GET", prefix + path, headers(need));
    checked++;
    if (reply.status !== status) wrong.push(`${entry}: ${reply.status} ${reply.text.slice(0, 200)}`);
    else if (schema && !type) {
      const error = Value.Errors(schema, reply.json).First();
      if (error) wrong.push(`${entry}: ${error.path} ${error.message} ${JSON.stringify(error.value)?.slice(0, 80)}`);
    }
  }
  return { wrong, checked };
}
const described = (prefix: string, template: string) => prefix + template.replaceAll(/:(\w+)/g, "{$1}");

test("live answers fit what is described", async () => {
  const person = await world.admin();
  const { wrong, checked } = await answers(
    "/api",
    need => ({ token: need === "agent" ? agent : person }),
    () => scan_id,
    "shop",
  );
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThan(32);
});

test("the demo's answers fit the same description", async () => {
  const headers = { "x-demo-session": session };
  const newest = await world.call("GET", "/api/demo/compliance/scans/history?limit=1", { headers });
  const { wrong, checked } = await answers(
    "/api/demo",
    () => ({ headers }),
    () => newest.json.items[0].id,
    "gripper-firmware",
  );
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThan(25);
});

test("the page shows every operation, runs nothing and fetches nothing", async () => {
  const page = await world.call("GET", "/api/docs");
  expect(page.headers.get("content-type")).toStartWith("text/html");
  expect(page.headers.get("content-security-policy")).toStartWith("default-src 'none'; style-src 'sha256-");
  expect(page.text).not.toMatch(/<script|https?:\/\/(?!127)|@import/);
  for (const path of Object.keys(document.paths)) expect(page.text).toContain(path);
  for (const code of Object.keys(refusals)) expect(page.text).toContain(`<code>${code}</code>`);
  expect(page.text.length).toBeLessThan(200_000);
  const { hostname, port } = new URL(world.url);
  const sent = await fetch(`http://${hostname}:${port}/api/docs`, { headers: { "accept-encoding": "gzip" } });
  expect([sent.headers.get("content-encoding"), sent.headers.get("vary")]).toEqual(["gzip", "accept-encoding"]);
  expect(await sent.text()).toBe(page.text);
  expect(gzipSync(page.text).length).toBeLessThan(30_000);
});
