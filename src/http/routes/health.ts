import { Elysia } from "elysia";
import { route } from "../access.ts";
import type { Parts } from "../parts.ts";

/** `GET /health` (draft-inadarei-api-health-check): `warn` while a worker is being replaced, `fail` when none lives. */
export function healthRoutes({ dispatch, directory, release, now }: Parts) {
  const started = now();
  return new Elysia().get(
    "/health",
    ({ status }) => {
      const { threads, alive, waiting } = dispatch.health();
      const workers = alive === threads ? "pass" : alive > 0 ? "warn" : "fail";
      const store = answers(() => directory.accounts.any()) ? "pass" : "fail";
      const overall = [workers, store].includes("fail") ? "fail" : workers;
      const body = {
        status: overall,
        version: release.version,
        commit: release.commit,
        uptime_s: Math.floor((now() - started) / 1000),
        checks: { workers: { status: workers, threads, alive, waiting }, directory: { status: store } },
      };
      return overall === "fail" ? status(503, body) : body;
    },
    route({ need: "public", summary: "Liveness, version and build commit", tags: ["public"], busy: true }),
  );
}

function answers(ask: () => unknown): boolean {
  try {
    ask();
    return true;
  } catch {
    return false;
  }
}
