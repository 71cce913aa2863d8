import type { RefusalCode } from "../src/errors.ts";
import { refusalsOf } from "../src/http/openapi.ts";
import type { Parts } from "../src/http/parts.ts";
import { createApp } from "../src/http/server.ts";
import type { Reply } from "./world.ts";

let routes: { method: string; segments: string[]; codes: RefusalCode[] }[] | undefined;

/** Throws when a route refused by a code that its description does not give it. */
export function expectDescribed(parts: Parts, method: string, path: string, { status, json }: Reply): void {
  if (status < 400 || !json?.error) return;
  routes ??= createApp(parts).routes.map(route => ({
    method: route.method,
    segments: route.path.split("/"),
    codes: refusalsOf(route),
  }));
  const route = routeOf(method, path.split("?")[0]!.split("/"));
  if (route && !route.codes.includes(json.error))
    throw new Error(`${method} ${route.segments.join("/")} refused with ${json.error}, which it does not describe`);
}

function routeOf(method: string, segments: string[]) {
  const fits = (wanted: string[]) =>
    wanted.length === segments.length && wanted.every((part, at) => part === segments[at] || part.startsWith(":"));
  const found = routes!.filter(one => one.method === method && fits(one.segments));
  return found.find(one => !one.segments.some(part => part.startsWith(":"))) ?? found[0];
}
