import type { AnyElysia, Elysia } from "elysia";
import { mount, type Route } from "./mount.ts";
import type { Parts } from "./parts.ts";
import { accessTokenRoutes } from "./routes/access-tokens.ts";
import { agentRoutes } from "./routes/agents.ts";
import { auditRoutes } from "./routes/audit.ts";
import { authRoutes } from "./routes/auth.ts";
import { checkRoutes } from "./routes/check.ts";
import { complianceRoutes } from "./routes/compliance.ts";
import { dashboardRoutes } from "./routes/dashboard.ts";
import { demoRoutes, demoSessionRoutes, twinsOf } from "./routes/demo.ts";
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

type Noun = (parts: Parts, routes: () => readonly AnyRoute[]) => AnyElysia;

/** What there is of an organisation: its own by token, and the demo's by handle. */
const tenant = [
  orgRoutes,
  memberRoutes,
  planRoutes,
  agentRoutes,
  policyRoutes,
  packRoutes,
  checkRoutes,
  auditRoutes,
  postureRoutes,
  complianceRoutes,
  scanRoutes,
  dashboardRoutes,
] as const satisfies Noun[];

const api = [
  healthRoutes,
  releaseRoutes,
  docsRoutes,
  playgroundRoutes,
  authRoutes,
  providerRoutes,
  twoFactorRoutes,
  sessionRoutes,
  accessTokenRoutes,
  invitationRoutes,
  deviceRoutes,
  enrolmentRoutes,
  eventRoutes,
  hookRoutes,
  demoSessionRoutes,
] as const satisfies Noun[];

const site = [wellKnownRoutes, webRoutes, otlpRoutes, metricsRoutes] as const satisfies Noun[];

/** The application. What each route needs stands in its declaration; the front door enforces it. */
export function createApp(parts: Parts): { routes: readonly Route[] } {
  const routes: Route[] = [];
  const made = (noun: Noun, its = parts) => noun(its, () => routes);
  const add = (prefix: string, noun: AnyElysia) => routes.push(...mount(prefix, noun.routes, () => noun, parts.logger));
  for (const noun of site) add("", made(noun));
  for (const noun of api) add("/api", made(noun));
  for (const noun of tenant) {
    const own = made(noun);
    add("/api", own);
    const twins = () => demoRoutes(made(noun, demoParts(parts)));
    routes.push(...mount("/api", twinsOf(own.routes), twins, parts.logger));
  }
  return { routes };
}

const demoParts = (parts: Parts): Parts => ({
  ...parts,
  dispatch: parts.demo.dispatch,
  directory: parts.demo_directory.directory,
});

/** The API as a typed client sees it. */
export type App = Elysia<"", Bare["~Singleton"], Bare["~Definitions"], Bare["~Metadata"], { api: Routes }>;
type Bare = Elysia;
type Routes = Both<ReturnType<(typeof api | typeof tenant)[number]>["~Routes"]>;
type Both<All> = (All extends unknown ? (one: All) => void : never) extends (both: infer Whole) => void ? Whole : never;
