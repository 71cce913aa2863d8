import { type TSchema, Type as T } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { refusals, type RefusalCode } from "../errors.ts";
import { type Access, accessOf, BODY_MAX_BYTES, type Media } from "./access.ts";
import { type Reply, replies } from "./replies.ts";
import { type Bodies, requests } from "./requests.ts";

/** OpenAPI 3.1, made from the routes themselves, so that it cannot fall behind them. */
export interface AnyRoute {
  method: string;
  path: string;
  hooks: { detail?: unknown; body?: unknown; query?: Schema; params?: Schema };
}

interface Schema {
  properties?: Record<string, unknown>;
  required?: readonly string[];
}

type Json = Record<string, unknown>;

export function describe(routes: readonly AnyRoute[], version: string, url: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Gatehouse", version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "Session, access or agent token" },
        demo: { type: "apiKey", in: "header", name: "X-Demo-Session" },
      },
      schemas: { Error: errorSchema },
    },
  };
}

const errorSchema = {
  type: "object",
  required: ["error", "message", "request_id"],
  properties: {
    error: {
      type: "string",
      enum: Object.keys(refusals),
      description: Object.entries(refusals)
        .map(([code, [status, sentence]]) => `\`${code}\` (${status}): ${sentence}`)
        .join("\n"),
    },
    message: { type: "string" },
    request_id: { type: "string" },
    details: {
      type: "array",
      items: {
        type: "object",
        required: ["path", "message"],
        properties: {
          path: { type: "string" },
          message: { type: "string" },
          line: { type: "integer" },
          column: { type: "integer" },
        },
      },
    },
  },
};

function operation(route: AnyRoute): Json {
  const { method, path, hooks } = route;
  const detail = hooks.detail as Json & { security: unknown; summary: string; tags: string[] };
  const access = accessOf(detail)!;
  const reply = replyOf(route);
  const body = bodyOf(access, hooks.body, requestsOf(route));
  return {
    operationId: `${method} ${path}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_"),
    summary: detail.summary,
    tags: detail.tags,
    security: detail.security,
    ...(detail["x-extension"] ? { "x-extension": true } : {}),
    ...(access.roles ? { "x-roles": access.roles } : {}),
    parameters: [...inPath(path, hooks.params), ...inQuery(hooks.query), ...headersOf(route)],
    ...(body ? { requestBody: body } : {}),
    responses: { ...success(reply), ...unchanged(reply), ...failures(refusalsOf(route)) },
  };
}

/** The demo's routes ask and answer as those they are twins of. */
const twinned = <V>(table: Record<string, V>, { method, path }: AnyRoute): V | undefined => {
  const below = path.replace(/^\/api/, "");
  return table[`${method} ${below}`] ?? table[`${method} ${below.replace(/^\/demo/, "")}`];
};
const replyOf = (route: AnyRoute): Reply => (isPage(route) ? page : (twinned(replies, route) ?? {}));
/** The dashboard is one page at many addresses, some of them called as routes of the API are below /api. */
const isPage = ({ path, hooks }: AnyRoute) =>
  (hooks.detail as { tags: string[] }).tags.includes("dashboard") && !/^\/(api|assets)\//.test(path);
const page: Reply = { type: "text/html", schema: T.String() };
const requestsOf = (route: AnyRoute): Bodies => twinned(requests, route) ?? {};

const inPath = (path: string, { properties = {} }: Schema = {}): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    ...{ name, in: "path", required: true },
    schema: properties[name!] ?? { type: "string" },
  }));

const inQuery = ({ properties = {}, required = [] }: Schema = {}): Json[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));

const headers: Record<string, [name: string, description: string]> = {
  "PUT /policy": ["If-Match", "Only while the policy still has this ETag"],
  "PUT /policy/yaml": ["If-Match", "Only while the policy still has this ETag"],
  "POST /org/members": ["Idempotency-Key", "The same key gives the same answer for 24 hours"],
  "POST /compliance/scans": ["Idempotency-Key", "The same key gives the same answer for 24 hours"],
  "GET /audit/stream": ["Last-Event-ID", "Goes on after the entry of this number"],
};

function headersOf(route: AnyRoute): Json[] {
  const pulls = replyOf(route).pulled && (["If-None-Match", "304 when the body still has this ETag"] as const);
  const [name, description] = pulls || (twinned(headers, route) ?? []);
  return name ? [{ name, in: "header", required: false, description, schema: { type: "string" } }] : [];
}

const mediaNames: Record<Media, string> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  ndjson: "application/x-ndjson",
  yaml: "application/yaml",
  sarif: "application/sarif+json",
};

function bodyOf(access: Access, schema: unknown, described: Bodies): Json | undefined {
  const forms = Object.entries(described) as [Media, TSchema][];
  const all = schema ? (access.media ?? ["json"]).map(media => [media, schema as TSchema] as const) : forms;
  if (all.length === 0) return undefined;
  const content = all.map(([media, one]) => [mediaNames[media], { schema: one }]);
  const max = access.body_max_bytes ?? BODY_MAX_BYTES;
  const required = !all.some(([, one]) => Value.Check(one, {}));
  return { required, content: Object.fromEntries(content), description: `At most ${max} bytes` };
}

function success({ status = 200, schema, type = "application/json" }: Reply): Json {
  const content = Object.fromEntries([type].flat().map(one => [one, { schema: schema ?? {} }]));
  const body = status === 204 ? {} : { content };
  return { [status]: { description: status === 201 ? "Made" : status === 204 ? "Done" : "The answer", ...body } };
}

/** What a pull says to whoever has this very body (RFC 9110 §15.4.5). */
const unchanged = ({ pulled }: Reply): Json =>
  pulled
    ? { 304: { description: "As `If-None-Match` has it", headers: { ETag: { schema: { type: "string" } } } } }
    : {};

/** Every refusal a route may give: what its declaration implies, and its own. */
export function refusalsOf(route: AnyRoute): RefusalCode[] {
  const access = accessOf(route.hooks.detail)!;
  const { body, query, params } = route.hooks;
  const codes: RefusalCode[] = [
    ...(["internal_error", "busy", "unavailable", "timeout"] as const),
    ...(["headers_too_large", "uri_too_long", "rate_limited"] as const),
  ];
  const add = (when: unknown, ...more: RefusalCode[]) => void (when && codes.push(...more));
  const writes = !["GET", "HEAD"].includes(route.method);
  const known = !access.demo && access.need !== "public";
  add(access.demo, "demo_expired", "not_in_demo");
  add(
    known,
    "unauthenticated",
    "invalid_token",
    "wrong_caller",
    "demo_not_allowed",
    "two_factor_required",
    "forbidden",
  );
  add(params || query, "not_found");
  add(query || params || body || access.raw || access.media, "invalid");
  add(
    writes,
    "malformed",
    "malformed_json",
    "body_timeout",
    "too_large",
    "unsupported_media_type",
    "unsupported_encoding",
    "not_found",
    "invalid",
  );
  add(writes, "read_only", "storage_full");
  codes.push(...(replyOf(route).refuses ?? []));
  return [...new Set(codes)];
}

function failures(codes: readonly RefusalCode[]): Json {
  const byStatus = Object.groupBy(codes, code => refusals[code][0]);
  const entries = Object.entries(byStatus).map(([status, all]) => [
    status,
    {
      description: all!.map(code => `\`${code}\``).join(", "),
      "x-errors": all,
      content: {
        "application/json": {
          schema: {
            allOf: [
              { $ref: "#/components/schemas/Error" },
              { type: "object", properties: { error: { type: "string", enum: all } } },
            ],
          },
        },
      },
    },
  ]);
  return Object.fromEntries(entries);
}
