import { refusal } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { pathOf } from "./address.ts";
import type { RateName } from "./access.ts";
import { authenticate, type Credentials } from "./authenticate.ts";
import type { Metrics } from "./metrics.ts";
import type { RateLimit } from "./rate-limit.ts";
import { rateKey } from "./client-ip.ts";
import type { Route } from "./mount.ts";
import { refuse } from "./refuse.ts";
import { complete } from "./standing-headers.ts";
import { type Methods, type RouteTable, routeTable } from "./route-table.ts";
import { type UnderWay, whenSent } from "./under-way.ts";
import { admit, type Caller, type Visit } from "./visit.ts";

export interface FrontDoorParts {
  credentials: Credentials;
  rates: Record<RateName, RateLimit>;
  clientIp(peer: string, headers: Headers): string;
  request_id(): string;
  now(): number;
  logger: Logger;
  metrics: Metrics;
  under_way: UnderWay;
  /** Aborted when the server shuts down: from then on each reply ends its connection. */
  closing: AbortSignal;
}

/** `peer` tells the address at the other end of the connection. */
export type Handler = (request: Request, peer: () => string) => Promise<Response>;

/**
 * Every request passes here first: request id, route or 404/405, rate, caller – all before the body is read – then the router.
 * Whatever goes wrong on either side comes out as one kind of JSON refusal.
 */
export function frontDoor(app: { routes: readonly Route[] }, parts: FrontDoorParts): Handler {
  const table = routeTable(app);
  return async (request, peer) => {
    const started = parts.now();
    const visit = newVisit(request, peer, parts);
    let leave = () => {};
    let response: Response;
    try {
      leave = parts.under_way.enter(visit);
      response = await answer(table, request, visit, parts);
      // A long answer counts until it has ended.
      if (visit.access.long) response = whenSent(response, leave);
      else leave();
    } catch (error) {
      leave();
      response = refuse(error, visit.request_id, parts.logger);
    }
    finish(response, visit, parts);
    const latency_ms = parts.now() - started;
    parts.metrics.observe(response.status, latency_ms);
    parts.logger[visit.access.busy ? "debug" : "info"]("request", () => ({
      request_id: visit.request_id,
      method: request.method,
      path: visit.path,
      status: response.status,
      latency_ms: Math.round(latency_ms),
      ip: visit.ip,
      caller: callerName(visit),
    }));
    return response;
  };
}

function newVisit({ headers, url }: Request, peer: () => string, parts: FrontDoorParts): Visit {
  let ip: string | undefined;
  return {
    request_id: requestId(headers, parts),
    path: pathOf(url),
    get ip() {
      return (ip ??= parts.clientIp(peer(), headers));
    },
    caller: { kind: "nobody" },
    access: { need: "public" },
    headers: {},
  };
}

/** No promise where nothing is waited for: each costs what two headers do. */
function answer(
  table: RouteTable,
  request: Request,
  visit: Visit,
  parts: FrontDoorParts,
): Response | Promise<Response> {
  if (request.url.length > URI_MAX) throw refusal("uri_too_long");
  const methods = table.find(visit.path);
  if (!methods) throw unknown(visit.path);
  const asHead = request.method === "HEAD" && !methods.has("HEAD");
  const route = methods.get(asHead ? "GET" : request.method);
  if (!route) return otherMethod(request.method, visit.path, methods);
  const { access } = route;
  visit.access = access;
  if (access.rate) visit.headers = parts.rates[access.rate].take(rateKey(visit.ip));
  const decide = () => authenticate(request.headers, access, parts.credentials);
  // A visitor of the demo is left out: asking for one keeps its workspace from falling idle.
  if (access.long && !access.demo) visit.recheck = decide;
  const pass = (caller: Caller): Promise<Response> | Response => {
    visit.caller = caller;
    return asHead ? headOf(route, request, visit) : (admit(request, visit), route.serve(request));
  };
  const caller = decide();
  return caller instanceof Promise ? caller.then(pass) : pass(caller);
}

/** What GET would say, its length too where the body is at hand (RFC 9110 §8.6); a stream is let go unread. */
async function headOf(route: Pick<Route, "serve">, { url, headers: sent }: Request, visit: Visit): Promise<Response> {
  const get = new Request(url, { headers: sent });
  admit(get, visit);
  const got = await route.serve(get);
  const { status, headers } = got;
  if (/^application\/(json|yaml)\b/.test(headers.get("content-type") ?? ""))
    headers.set("content-length", String((await got.arrayBuffer()).byteLength));
  else await got.body?.cancel();
  return new Response(null, { status, headers });
}

/** Characters; a sender may count on 8,000 (RFC 9110 §4.1). */
const URI_MAX = 8 * 1024;
const DEMO = "/api/demo/";

const unknown = (path: string) =>
  path.startsWith(DEMO)
    ? refusal("not_in_demo")
    : refusal("not_found", "There is no such route. /api/openapi.json lists them all.");

function otherMethod(method: string, path: string, methods: Methods): Response {
  const names = [...methods.keys(), ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"];
  const allow = [...new Set(names)].sort().join(", ");
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
  if (path.startsWith(DEMO)) throw refusal("not_in_demo");
  throw refusal("method_not_allowed", { message: `This route takes ${allow}.`, headers: { allow } });
}

const SAFE_ID = /^[A-Za-z0-9._-]{8,64}$/;

function requestId(headers: Headers, parts: FrontDoorParts): string {
  const sent = headers.get("x-request-id");
  return sent && SAFE_ID.test(sent) ? sent : parts.request_id();
}

/** What every reply carries. */
function finish({ headers }: Response, visit: Visit, { closing }: FrontDoorParts): void {
  complete(headers);
  if (closing.aborted) headers.set("connection", "close");
  headers.set("x-request-id", visit.request_id);
  // A refusal by a narrower rate has said its own.
  for (const name in visit.headers) if (!headers.has(name)) headers.set(name, visit.headers[name]!);
}

function callerName({ caller }: Visit): string {
  if (caller.kind === "nobody") return "-";
  return caller.kind === "agent" ? caller.agent : caller.account;
}
