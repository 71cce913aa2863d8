import { type AnyElysia, Elysia } from "elysia";
import { lazily } from "../domain/lazily.ts";
import { refusal } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { parametersOf } from "./address.ts";
import { readBody } from "./body.ts";
import type { AnyRoute } from "./openapi.ts";
import { refuse } from "./refuse.ts";
import { dataReply } from "./standing-headers.ts";
import { visitOf } from "./visit.ts";

/** A route with what answers it. */
export interface Route extends AnyRoute {
  serve(request: Request): Response | Promise<Response>;
}

/**
 * Routes below `prefix`, answered by `noun` as soon as one of them is asked. Each noun is an application of its own: the framework
 * writes a router's code for all routes it holds at once, which for those of the whole server was a quarter of a start.
 */
export function mount(prefix: string, routes: readonly AnyRoute[], noun: () => AnyElysia, logger: Logger): Route[] {
  const app = lazily(() => framework(prefix, logger).use(noun()));
  const serve: Route["serve"] = request => app().fetch(request);
  return routes.map(({ method, path, hooks }) => ({
    ...{ method, path: prefix + path, hooks },
    serve: hooks.query ? request => (onlyOnce(request.url, hooks.query!), serve(request)) : serve,
  }));
}

/** Which of two values counts, proxies and servers see differently: none does. Throws `invalid` naming the parameter. */
function onlyOnce(url: string, { properties = {} }: NonNullable<AnyRoute["hooks"]["query"]>): void {
  if (!url.includes("&")) return;
  const seen = new Set<string>();
  for (const name of parametersOf(url).keys()) {
    if (seen.has(name) && Object.hasOwn(properties, name))
      throw refusal("invalid", { details: [{ path: `/${name}`, message: "Must be given once" }] });
    seen.add(name);
  }
}

/** Not what already is a reply or a stream. */
const isData = (value: unknown) => Array.isArray(value) || (value as object | null)?.constructor === Object;

const framework = (prefix: string, logger: Logger) =>
  new Elysia({ prefix, strictPath: true, normalize: false, handler: { standardHostname: false } })
    .onParse(({ request }) => {
      const { access } = visitOf(request);
      // Null, not undefined: the router would otherwise parse the body itself.
      return access.raw ? null : readBody(request, access);
    })
    .mapResponse(({ responseValue, set }) =>
      isData(responseValue) ? dataReply(responseValue, Number(set.status ?? 200)) : undefined,
    )
    .onError(({ error, request }) => refuse(error, visitOf(request).request_id, logger));
