import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { routeTable } from "../../src/http/route-table.ts";
import { createApp } from "../../src/http/server.ts";
import { inProcess } from "../target.ts";
import { createWorld, type World } from "../world.ts";

/** Requests made from the description, right and wrong: whatever comes, the answer is one that is described. */
interface Schema {
  type?: string;
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

const awkward = fc.constantFrom<unknown>(
  ...[null, "", "\u0000", "'; DROP TABLE agent;--", "../../etc/passwd", "\ud800", -1, 1e308, true, [], {}, [[]]],
  ...["a".repeat(300), "__proto__", { __proto__: null, constructor: 1 }, "%00", "🦊"],
);

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fitting));
  if (schema.type === "integer" || schema.type === "number")
    return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1000, 1_000_000) });
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "array") return fc.array(fitting(schema.items ?? {}), { maxLength: 3 });
  if (schema.type === "object") return object(schema);
  if (schema.type === "string")
    return schema.pattern
      ? fc.oneof(fc.constantFrom("core", "a", "2026-11-20T10:00:00Z"), fc.string({ maxLength: 20 }))
      : fc.string({ minLength: 1, maxLength: Math.min(schema.maxLength ?? 40, 40) });
  return fc.jsonValue();
}

function object({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, mutated(fitting(one))]));
  return fc.record(members, { requiredKeys: required.filter(name => name in members) });
}

const mutated = (right: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: awkward });

let world: World;
const tokens: Record<string, string> = {};
let session: string;
beforeAll(async () => {
  world = await createWorld({ GATEHOUSE_PLAYGROUND_PER_MINUTE: "100000", GATEHOUSE_LOG_LEVEL: "error" });
  tokens["agent"] = tokens["either"] = (await world.agent()).token;
  tokens["person"] = await world.person("admin");
  session = (await world.call("POST", "/api/demo/session")).json.session;
});
afterAll(() => world.close());

/** They end what the test lives on, never end themselves, or are rationed. */
const SPARED =
  /logout|audit\/stream|sessions|\/password|2fa|\/auth\/(session|setup|login|enrol|accept|device)|demo\/(session|reset)/;
/** More of them, and others: `FUZZ_RUNS=500 FUZZ_SEED=1 bun test ./test/http/fuzz.test.ts`. */
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 6);
const seed = Number(process.env["FUZZ_SEED"] ?? 7);
const wrong: string[] = [];

test.skipIf(!inProcess)(
  "no request made from the description is answered with a fault or an undescribed status",
  async () => {
    const { paths } = (await world.call("GET", "/api/openapi.json")).json;
    const needs = new Map(
      routeTable(createApp(world.gatehouse.parts)).entries.map(one => [`${one.method} ${one.path}`, one.access]),
    );
    for (const [path, methods] of Object.entries<Record<string, Operation>>(paths))
      for (const [method, operation] of Object.entries(methods)) {
        if (SPARED.test(path)) continue;
        const access = needs.get(`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`)!;
        const requests = fc.sample(requestOf(operation), { numRuns: RUNS, seed });
        for (const request of requests) await tryOne(path, method, operation, request, access);
      }
    expect(wrong).toEqual([]);
    expect((await world.call("GET", "/api/health")).json.status).toBe("pass");
  },
  { timeout: 20_000 * RUNS },
);

interface Operation {
  parameters: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { "x-errors"?: string[] }>;
}
interface Asked {
  parameters: Record<string, unknown>;
  /** Undefined where the route takes no body. */
  type: string | undefined;
  body: unknown;
}

function requestOf({ parameters, requestBody }: Operation): fc.Arbitrary<Asked> {
  const all = Object.fromEntries(parameters.map(({ name, schema }) => [name, mutated(fitting(schema))]));
  const required = parameters.filter(one => one.in === "path").map(one => one.name);
  const forms = Object.entries(requestBody?.content ?? {});
  const ofForm = (type?: string, schema?: Schema): fc.Arbitrary<Asked> =>
    fc.record({
      parameters: fc.record(all, { requiredKeys: required }) as fc.Arbitrary<Record<string, unknown>>,
      type: fc.constant(type),
      body: schema ? mutated(fitting(schema)) : fc.constant(undefined),
    });
  return forms.length === 0 ? ofForm() : fc.oneof(...forms.map(([type, { schema }]) => ofForm(type, schema)));
}

async function tryOne(
  path: string,
  method: string,
  { parameters, responses }: Operation,
  asked: Asked,
  { need, demo }: { need: string; demo?: boolean },
): Promise<void> {
  const text = (value: unknown) =>
    encodeURIComponent(
      (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toWellFormed().slice(0, 300),
    ) || "_";
  const where = path.replaceAll(/\{(\w+)\}/g, (_, name) => text(asked.parameters[name]).replace(/^\.+$/, "_"));
  const query = parameters
    .filter(one => one.in === "query" && one.name in asked.parameters)
    .map(({ name }) => `${name}=${text(asked.parameters[name])}`);
  const { type } = asked;
  const plain = typeof asked.body === "string" && type !== "application/json";
  const body = asked.body === undefined ? undefined : plain ? (asked.body as string) : JSON.stringify(asked.body);
  const reply = await world.call(method.toUpperCase(), `${where}?${query.join("&")}`, {
    ...(demo || need === "public" ? {} : { token: tokens[need]! }),
    headers: { ...(demo ? { "x-demo-session": session } : {}), ...(type ? { "content-type": type } : {}) },
    ...(body === undefined ? {} : { body }),
  });
  const described = Object.keys(responses).map(Number);
  const told = reply.status < 400 || responses[reply.status]?.["x-errors"]?.includes(reply.json?.error);
  if (reply.status >= 500 || !told || (reply.status !== 304 && !described.includes(reply.status)))
    wrong.push(
      `${method} ${where}?${query.join("&")} ${body} → ${reply.status} ${reply.text}; described: ${described}`,
    );
}
