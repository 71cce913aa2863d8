import { createHash, timingSafeEqual } from "node:crypto";
import { Elysia } from "elysia";
import { refusal } from "../../errors.ts";
import { route } from "../access.ts";
import type { Parts } from "../parts.ts";
import { visitOf } from "../visit.ts";

/** `GET /metrics`: for this machine itself, or for whoever has `GATEHOUSE_METRICS_TOKEN`. To everybody else it is not there. */
export function metricsRoutes(parts: Parts) {
  const { config, dispatch, demo, metrics, now } = parts;
  const started = now();
  return new Elysia().get(
    "/metrics",
    async ({ request }) => {
      if (!mayRead(request, config.metrics_token?.reveal())) throw refusal("not_found");
      const { threads, alive, waiting } = dispatch.health();
      // Numbers are wanted most when something is down.
      const { workspaces, bytes } = await demo.count().catch(() => ({ workspaces: 0, bytes: 0 }));
      const text = metrics.render({
        uptime_seconds: ["Since the start.", Math.floor((now() - started) / 1000)],
        threads: ["Threads for organisations.", threads],
        threads_alive: ["Threads that answer.", alive],
        waiting: ["Questions waiting for a thread.", waiting],
        demo_workspaces: ["Demo workspaces.", workspaces],
        demo_bytes: ["Memory of demo workspaces.", bytes],
        resident_bytes: ["Memory of the process.", process.memoryUsage().rss],
      });
      const type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
      return new Response(text, { headers: { "content-type": type } });
    },
    route({ need: "public", busy: true, summary: "Numbers for monitoring", tags: ["public"], extension: true }),
  );
}

/** A request that came through a proxy did not begin on this machine. */
function mayRead(request: Request, token: string | undefined): boolean {
  const { headers } = request;
  const forwarded = headers.has("x-forwarded-for") || headers.has("forwarded") || headers.has("via");
  if (/^(127\.|::1$)/.test(visitOf(request).ip) && !forwarded) return true;
  const sent = /^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  return token !== undefined && sent !== undefined && timingSafeEqual(digest(sent), digest(token));
}

const digest = (text: string) => createHash("sha256").update(text).digest();
