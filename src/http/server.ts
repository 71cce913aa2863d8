import { Elysia } from "elysia";
import { readBody } from "./body.ts";
import type { Parts } from "./parts.ts";
import { refuse } from "./refuse.ts";
import { accessTokenRoutes } from "./routes/access-tokens.ts";
import { agentRoutes } from "./routes/agents.ts";
import { auditRoutes } from "./routes/audit.ts";
import { authRoutes } from "./routes/auth.ts";
import { checkRoutes } from "./routes/check.ts";
import { complianceRoutes } from "./routes/compliance.ts";
import { dashboardRoutes } from "./routes/dashboard.ts";
import { demoRoutes, demoSessionRoutes } from "./routes/demo.ts";
import { docsRoutes } from "./routes/docs.ts";
import { releaseRoutes } from "./routes/releases.ts";
import type { AnyRoute } from "./openapi.ts";
import { metricsRoutes } from "./routes/metrics.ts";
import { deviceRoutes } from "./routes/device.ts";
import { enrolmentRoutes } from "./routes/enrolment.ts";
import { eventRoutes } from "./routes/events.ts";
import { healthRoutes } from "./routes/health.ts";
import { hookRoutes } from "./routes/hooks.ts";
import { invitationRoutes } from "./routes/invitations.ts";
import { memberRoutes } from "./routes/members.ts";
import { orgRoutes } from "./routes/org.ts";
import { otlpRoutes } from "./routes/otlp.ts";
import { planRoutes } from "./routes/plans.ts";
import { packRoutes } from "./routes/packs.ts";
import { playgroundRoutes } from "./routes/playground.ts";
import { policyRoutes } from "./routes/policy.ts";
import { postureRoutes } from "./routes/posture.ts";
import { providerRoutes } from "./routes/providers.ts";
import { scanRoutes } from "./routes/scans.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { twoFactorRoutes } from "./routes/two-factor.ts";
import { webRoutes } from "./routes/web.ts";
import { wellKnownRoutes } from "./routes/well-known.ts";
import { dataReply } from "./standing-headers.ts";
import { visitOf } from "./visit.ts";

/** Not what already is a reply or a stream. */
const isData = (value: unknown) => Array.isArray(value) || (value as object | null)?.constructor === Object;

/** The application. What each route needs stands in its declaration; the front door enforces it. */
export function createApp(parts: Parts) {
  let routes: () => readonly AnyRoute[] = () => [];
  const app = new Elysia({ strictPath: true, normalize: false, handler: { standardHostname: false } })
    .onParse({ as: "global" }, ({ request }) => {
      const { access } = visitOf(request);
      // Null, not undefined: the router would otherwise parse the body itself.
      return access.raw ? null : readBody(request, access);
    })
    .mapResponse({ as: "global" }, ({ responseValue, set }) =>
      isData(responseValue) ? dataReply(responseValue, Number(set.status ?? 200)) : undefined,
    )
    .onError({ as: "global" }, ({ error, request }) => refuse(error, visitOf(request).request_id, parts.logger))
    .use(wellKnownRoutes(parts))
    .use(webRoutes(parts))
    .use(otlpRoutes(parts))
    .use(metricsRoutes(parts))
    .use(apiRoutes(parts, () => routes()));
  routes = () => app.routes;
  return app;
}

/** What there is of an organisation: its own by token, and the demo's by handle. */
const tenantRoutes = (parts: Parts) =>
  new Elysia({ strictPath: true, normalize: false })
    .use(orgRoutes(parts))
    .use(memberRoutes(parts))
    .use(planRoutes(parts))
    .use(agentRoutes(parts))
    .use(policyRoutes(parts))
    .use(packRoutes(parts))
    .use(checkRoutes(parts))
    .use(auditRoutes(parts))
    .use(postureRoutes(parts))
    .use(complianceRoutes(parts))
    .use(scanRoutes(parts))
    .use(dashboardRoutes(parts));

const demoParts = (parts: Parts): Parts => ({
  ...parts,
  dispatch: parts.demo.dispatch,
  directory: parts.demo_directory.directory,
});

const apiRoutes = (parts: Parts, routes: () => readonly AnyRoute[]) =>
  new Elysia({ strictPath: true, prefix: "/api", normalize: false })
    .use(healthRoutes(parts))
    .use(releaseRoutes(parts))
    .use(docsRoutes(parts, routes))
    .use(playgroundRoutes(parts))
    .use(authRoutes(parts))
    .use(providerRoutes(parts))
    .use(twoFactorRoutes(parts))
    .use(sessionRoutes(parts))
    .use(accessTokenRoutes(parts))
    .use(invitationRoutes(parts))
    .use(deviceRoutes(parts))
    .use(enrolmentRoutes(parts))
    .use(eventRoutes(parts))
    .use(hookRoutes(parts))
    .use(tenantRoutes(parts))
    .use(demoSessionRoutes(parts))
    .use(demoRoutes(tenantRoutes(demoParts(parts)).routes));

export type App = ReturnType<typeof createApp>;
