import { type AnyElysia, Elysia } from "elysia";
import type { AnyRoute } from "../openapi.ts";
import { type Access, accessOf, route, withAccess } from "../access.ts";
import { noContent } from "../reply.ts";
import { handleOf } from "../authenticate.ts";
import type { Parts } from "../parts.ts";

/**
 * What a visitor may do: the routes of an organisation that also exist below `/demo`, served by the same handlers.
 * Nothing about credentials, invitations, tokens, agents' enrolment or anything outside.
 */
export const demoTable = [
  "GET /org",
  "PATCH /org",
  "GET /org/enforcement-mode",
  "PUT /org/enforcement-mode",
  "GET /org/members",
  "GET /org/plan",
  "GET /plans",
  "GET /dashboard",
  "GET /agents",
  "GET /agents/stats",
  "GET /agents/:id",
  "GET /policy",
  "PUT /policy",
  "GET /policy/yaml",
  "PUT /policy/yaml",
  "GET /policy/history",
  "GET /policy/history/:version",
  "POST /policy/validate",
  "POST /policy/replay",
  "POST /policy/check",
  "GET /packs",
  "GET /packs/:name",
  "GET /audit",
  "GET /audit/stats",
  "GET /audit/mcp-servers",
  "GET /audit/export",
  "GET /audit/stream",
  "GET /audit/:seq",
  "GET /posture/evidence",
  "GET /posture/control-evidence",
  "GET /posture/attestation-chain",
  "GET /posture/drift",
  "GET /posture/checkpoint",
  "GET /posture/keys",
  "GET /posture/proof",
  "GET /compliance/frameworks",
  "POST /compliance/frameworks",
  "POST /compliance/frameworks/disable",
  "GET /compliance/rules",
  "GET /compliance/scans/latest",
  "GET /compliance/scans/history",
  "GET /compliance/scans/detail",
  "GET /compliance/scans/projects",
  "GET /compliance/status",
  "GET /compliance/export",
] as const;

const DEMO_PREFIX = "/demo";

/** Starting, ending and resetting a workspace. */
export function demoSessionRoutes({ demo }: Parts) {
  return new Elysia({ prefix: DEMO_PREFIX })
    .post(
      "/session",
      async ({ set }) => {
        set.status = 201;
        return demo.open();
      },
      route({ need: "public", rate: "demo", summary: "Start an isolated sample workspace", tags: ["demo"] }),
    )
    .delete(
      "/session",
      async ({ request }) => {
        await demo.end(handleOf(request.headers));
        return noContent();
      },
      route({ need: "public", summary: "Destroy the workspace", tags: ["demo"] }),
    )
    .post(
      "/reset",
      ({ request }) => demo.reset(handleOf(request.headers)),
      route({ need: "public", rate: "demo", summary: "Start over from the scenario", tags: ["demo"], extension: true }),
    );
}

/** Of an organisation's routes those of the table, for visitors. */
export function twinsOf<R extends AnyRoute>(routes: readonly R[]): R[] {
  const offered = new Set<string>(demoTable);
  return routes
    .filter(({ method, path }) => offered.has(`${method} ${path}`))
    .map(route => {
      const detail = route.hooks.detail as object;
      const access: Access = { ...accessOf(detail)!, demo: true };
      return {
        ...route,
        path: DEMO_PREFIX + route.path,
        hooks: { ...route.hooks, detail: withAccess(detail, access) },
      };
    });
}

/** The twins of what was made for the demo's own parts, and no other routes. */
export function demoRoutes(noun: AnyElysia): AnyElysia {
  const app = new Elysia();
  for (const { method, path, handler, hooks } of twinsOf(noun.routes)) app.route(method, path, handler as never, hooks);
  return app;
}
