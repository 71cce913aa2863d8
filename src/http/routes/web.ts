import { Elysia } from "elysia";
import { createDiscovery } from "../../directory/oidc-discovery.ts";
import { Unreachable } from "../../directory/safe-fetch.ts";
import { refusal } from "../../errors.ts";
import { route } from "../access.ts";
import { type DashboardFile, packingOf, readDashboard } from "../dashboard.ts";
import type { Parts } from "../parts.ts";

const PROVIDER_WAIT_MS = 1500;
const NOT_BUILT = "The dashboard is not built. Run `npm run build:web` and start again. The API is at /api.";

const operation = (summary: string) =>
  route({ need: "public", summary, tags: ["dashboard"], extension: true, busy: true });

/** The dashboard: one page at every address of its own, its files under /assets. Nothing of it comes from another host. */
export function webRoutes(parts: Pick<Parts, "config" | "now" | "logger">) {
  const dashboard = readDashboard();
  const provider = providerOrigins(parts);
  const page = async ({ request }: { request: Request }) => {
    if (!dashboard) throw refusal("unavailable", NOT_BUILT);
    return reply(request, dashboard.file("index.html")!, pageHeaders(contentSecurityPolicy(await provider())));
  };
  const app = new Elysia().get(
    "/assets/:name",
    ({ params: { name }, request }) => {
      const file = name === "index.html" ? undefined : dashboard?.file(name);
      if (!file) throw refusal("not_found", "There is no such file.");
      return reply(request, file, { "cache-control": "public, max-age=31536000, immutable" });
    },
    operation("A file of the dashboard"),
  );
  for (const path of dashboard?.pages ?? ["/"]) app.get(path, page, operation("The dashboard"));
  return app;
}

async function reply(
  request: Request,
  { type, plain, packed }: DashboardFile,
  headers: Record<string, string>,
): Promise<Response> {
  const packing = packingOf(request.headers.get("accept-encoding"));
  const encoding = packing ? { "content-encoding": packing } : {};
  return new Response(packing ? await packed[packing]() : plain(), {
    headers: { "content-type": type, vary: "accept-encoding", ...encoding, ...headers },
  });
}

const pageHeaders = (policy: string) => ({
  "cache-control": "no-cache",
  "content-security-policy": policy,
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
});

/** Only what the server itself serves; the identity provider may be spoken to for signing in, where one is configured. */
function contentSecurityPolicy(provider: readonly string[]): string {
  const connect = ["'self'", ...provider].join(" ");
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * Whom the page speaks to for signing in: the issuer, which describes itself, and the host of its token endpoint, which may
 * be another one. A provider that does not answer in time holds no page up.
 */
function providerOrigins({ config: { oidc_issuer: issuer }, now, logger }: Pick<Parts, "config" | "now" | "logger">) {
  if (!issuer) return () => [];
  const { metadata } = createDiscovery({ issuer, now });
  const own = new URL(issuer);
  const discovered = async () => {
    try {
      const { origin, protocol } = new URL((await metadata()).token_endpoint ?? issuer);
      return protocol === "https:" || protocol === own.protocol ? [...new Set([own.origin, origin])] : [own.origin];
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      logger.warn("identity provider", { message: error.message });
      return [own.origin];
    }
  };
  const late = () => new Promise<string[]>(resolve => setTimeout(resolve, PROVIDER_WAIT_MS, [own.origin]).unref());
  return () => Promise.race([discovered(), late()]);
}
