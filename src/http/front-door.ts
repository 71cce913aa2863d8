import type { AnyElysia } from "elysia";
import { refusal } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Access, RateName } from "./access.ts";
import { authenticate, type Credentials } from "./authenticate.ts";
import type { Metrics } from "./metrics.ts";
import type { RateLimit } from "./rate-limit.ts";
import { rateKey } from "./client-ip.ts";
import { refuse } from "./refuse.ts";
import { type RouteTable, routeTable } from "./route-table.ts";
import { type UnderWay, whenSent } from "./under-way.ts";
import { admit, type Visit } from "./visit.ts";

export interface FrontDoorParts {
  credentials: Credentials;
  rates: Record<RateName, RateLimit>;
  clientIp(peer: string, headers: Headers): string;
  request_id(): string;
  now(): number;
  logger: Logger;
  metrics: Metrics;
  under_way: UnderWay;
}

export type Handler = (request: Request, peer: string) => Promise<Response>;

/**
 * Every request passes here first: request id, route or 404/405, rate, caller – all before the body is read – then the router.
 * Whatever goes wrong on either side comes out as one kind of JSON refusal.
 */
export function frontDoor(app: AnyElysia, parts: FrontDoorParts): Handler {
  const table = routeTable(app);
  return async (request, peer) => {
    const visit: Visit = {
      request_id: requestId(request.headers, parts),
      ip: parts.clientIp(peer, request.headers),
      caller: { kind: "nobody" },
      access: { need: "public" },
      headers: {},
    };
    const started = parts.now();
    const response = await counted(parts.under_way, visit, () => serve(app, table, request, visit, parts)).catch(
      error => refuse(error, visit.request_id, parts.logger),
    );
    finish(response, visit);
    parts.metrics.observe(response.status, parts.now() - started);
    const level = visit.access.busy ? "debug" : "info";
    parts.logger[level]("request", {
      request_id: visit.request_id,
      method: request.method,
      path: pathOf(request.url),
      status: response.status,
      latency_ms: Math.round(parts.now() - started),
      ip: visit.ip,
      caller: callerName(visit),
    });
    return response;
  };
}

/** One request more of its address, until it is answered; one with a long answer until that has ended. */
async function counted({ enter }: UnderWay, visit: Visit, work: () => Promise<Response>): Promise<Response> {
  const leave = enter(visit.ip);
  try {
    const response = await work();
    if (visit.access.long) return whenSent(response, leave);
    leave();
    return response;
  } catch (error) {
    leave();
    throw error;
  }
}

async function serve(
  app: AnyElysia,
  table: RouteTable,
  request: Request,
  visit: Visit,
  parts: FrontDoorParts,
): Promise<Response> {
  const methods = table.find(pathOf(request.url));
  if (!methods) throw unknown(request.url);
  const head = request.method === "HEAD" && !methods.has("HEAD");
  const access = methods.get(head ? "GET" : request.method);
  if (!access) return otherMethod(request, methods);
  visit.access = access;
  if (access.rate) visit.headers = parts.rates[access.rate].take(rateKey(visit.ip));
  visit.caller = await authenticate(request.headers, access, parts.credentials);
  if (!head) {
    admit(request, visit);
    return app.fetch(request);
  }
  const get = new Request(request.url, { headers: request.headers });
  admit(get, visit);
  return headOf(await app.fetch(get));
}

/** What GET would say, its length too where the body is at hand (RFC 9110 §8.6); a stream is let go unread. */
async function headOf(got: Response): Promise<Response> {
  const { status, headers } = got;
  if (/^application\/(json|yaml)\b/.test(headers.get("content-type") ?? ""))
    headers.set("content-length", String((await got.arrayBuffer()).byteLength));
  else await got.body?.cancel();
  return new Response(null, { status, headers });
}

const DEMO = "/api/demo/";

const unknown = (url: string) =>
  pathOf(url).startsWith(DEMO)
    ? refusal("not_in_demo")
    : refusal("not_found", "There is no such route. /api/openapi.json lists them all.");

function otherMethod(request: Request, methods: Map<string, Access>): Response {
  const names = [...methods.keys(), ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"];
  const allow = [...new Set(names)].sort().join(", ");
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
  if (pathOf(request.url).startsWith(DEMO)) throw refusal("not_in_demo");
  throw refusal("method_not_allowed", { message: `This route takes ${allow}.`, headers: { allow } });
}

const SAFE_ID = /^[A-Za-z0-9._-]{8,64}$/;

function requestId(headers: Headers, parts: FrontDoorParts): string {
  const sent = headers.get("x-request-id");
  return sent && SAFE_ID.test(sent) ? sent : parts.request_id();
}

/** OWASP Secure Headers, for replies that are data: nothing in them may run, be framed or be read by another site. */
const ALWAYS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "interest-cohort=()",
};

/** What every reply carries. API replies are never cached unless the handler said how. */
function finish(response: Response, visit: Visit): void {
  const { headers } = response;
  headers.set("x-request-id", visit.request_id);
  for (const [name, value] of Object.entries(ALWAYS)) if (!headers.has(name)) headers.set(name, value);
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  // A refusal by a narrower rate has said its own.
  for (const [name, value] of Object.entries(visit.headers)) if (!headers.has(name)) headers.set(name, value);
}

/** The path of an absolute URL without building a URL: this runs on every request. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  if (start === -1) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}

function callerName({ caller }: Visit): string {
  if (caller.kind === "nobody") return "-";
  return caller.kind === "agent" ? caller.agent : caller.account;
}
